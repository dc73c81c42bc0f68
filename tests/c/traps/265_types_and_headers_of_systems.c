// <stdlib.h> declares the types of threads, as that of GNU does. Headers of POSIX and Linux are there.
// verdict: safe
#include <stdlib.h>
static pthread_mutex_t m;
#include <fenv.h>
#include <ftw.h>
#include <glob.h>
#include <iconv.h>
#include <ifaddrs.h>
#include <langinfo.h>
#include <mqueue.h>
#include <netinet/tcp.h>
#include <netinet/udp.h>
#include <regex.h>
#include <sched.h>
#include <search.h>
#include <spawn.h>
#include <sys/inotify.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/reboot.h>
#include <sys/sendfile.h>
#include <sys/signalfd.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <time.h>
#include <utime.h>
#include <wctype.h>
int main(void) {
  struct utimbuf times = {0, 0};
  return CLONE_VM != 0x100 || TCP_CORK != 3 || times.actime != 0 || sizeof m == 0;
}
