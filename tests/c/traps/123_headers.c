// What is declared and never reached is not refused.
// verdict: safe
#include <stdalign.h>
#include <sys/queue.h>
#include <sys/cdefs.h>
#include <sys/param.h>
#include <sys/prctl.h>
#include <poll.h>
#include <sys/mman.h>
#include <emmintrin.h>
#include <immintrin.h>
#include <stdnoreturn.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <dirent.h>
#include <sys/resource.h>
#include <stropts.h>
#include <errno.h>
#include <stddef.h>
#include <assert.h>
max_align_t x;
static int never(void) { return socket(AF_INET, SOCK_STREAM, 0) + epoll_create(1); }

int main(int argc, char **argv) {
  assert(ENOBUFS == 105 && EALREADY == 114);
  return 0;
}
