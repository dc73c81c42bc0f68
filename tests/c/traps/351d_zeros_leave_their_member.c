// strncpy fills as many bytes as it is told.
// verdict: bug deref
#include <string.h>
struct s { char name[4]; int value; } one;
int main(void) {
  struct s *p = &one;
  strncpy(p->name, "ab", sizeof *p);
}
