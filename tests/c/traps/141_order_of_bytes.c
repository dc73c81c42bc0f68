// verdict: safe
#include <assert.h>
#include <byteswap.h>
#include <dlfcn.h>
#include <endian.h>
#include <execinfo.h>
#include <fnmatch.h>
#include <gnu/libc-version.h>
#include <grp.h>
#include <net/if.h>
#include <pwd.h>
#include <sys/endian.h>
#include <sys/ipc.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/statvfs.h>
#include <sys/sysinfo.h>
#include <sys/timerfd.h>
#include <sys/times.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

int main(void) {
  struct rlimit limit;
  assert(BYTE_ORDER == LITTLE_ENDIAN);
  assert(htobe32(0x01020304u) == 0x04030201u && be32toh(htobe32(7)) == 7);
  assert(htole64(5) == 5 && bswap_16(0x0102) == 0x0201);
  assert(getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur - limit.rlim_cur % getpagesize() <= limit.rlim_cur);
  assert(get_nprocs() >= 1);
}
