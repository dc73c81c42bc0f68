// Names that every header of the GNU C library brings, and flags that libraries set.
// verdict: safe
#include <stdlib.h>
#include <signal.h>
#include <sys/mman.h>
__BEGIN_DECLS
int twice(int);
__END_DECLS
int twice(int x) { return 2 * x; }
int main(void) {
  struct sigaction act = {.sa_handler = SIG_IGN, .sa_flags = SA_ONSTACK | SA_NODEFER};
  int flags = MAP_LOCKED | MAP_HUGETLB;
  return sigaction(SIGWINCH, &act, NULL) == 0 && flags && twice(1) == 2 ? 0 : 1;
}
