// Whatever a system may answer.
// verdict: safe
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <regex.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/sysinfo.h>
int main(void) {
  int n = 0; struct winsize w; regex_t r; regmatch_t m[3]; struct sysinfo i;
  if (ioctl(0, FIONREAD, &n) == 0) assert(n >= 0);
  if (ioctl(0, TIOCGWINSZ, &w) == 0) n = w.ws_row;
  n = 1;
  ioctl(0, FIONBIO, &n);
  assert(ioctl(-1, FIONREAD, &n) == -1 && errno == EBADF);
  if (flock(3, LOCK_EX) == 0) flock(3, LOCK_UN);
  assert(sysinfo(&i) == 0 && i.freeram <= i.totalram && i.uptime >= 0);
  if (regcomp(&r, "a(b)c", REG_EXTENDED) != 0) return 0;
  assert(r.re_nsub <= 1);
  if (regexec(&r, "xabcx", 3, m, 0) == 0) {
    assert(m[0].rm_so >= 0 && m[0].rm_so <= m[0].rm_eo && m[0].rm_eo <= 5);
    assert(m[1].rm_so >= -1 && m[1].rm_so <= m[1].rm_eo && m[1].rm_eo <= 5);
    assert(m[2].rm_so == -1);
  }
  regfree(&r);
  return 0;
}
