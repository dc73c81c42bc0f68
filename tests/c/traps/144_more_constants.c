// verdict: safe
#define _GNU_SOURCE
#include <assert.h>
#include <emmintrin.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <syslog.h>
static struct timeval wait = {1, 2};
static fd_set files;

static inline void copy(void *to, const void *from) { _mm_storeu_si128((__m128i *)to, _mm_loadu_si128((const __m128i *)from)); }

int main(void) {
  struct flock whole = {.l_type = F_WRLCK};
  assert(whole.l_type == F_WRLCK && whole.l_len == 0 && wait.tv_usec == 2 && sizeof files == 128);
  assert((O_CLOEXEC | O_DIRECTORY) != 0 && S_ISSOCK(S_IFSOCK) && S_IRWXO == 7 && LOG_LOCAL7 == 23 << 3);
  assert(IPPROTO_IPV6 == 41 && MSG_TRUNC == 0x20 && EPOLLPRI == 2);
}
