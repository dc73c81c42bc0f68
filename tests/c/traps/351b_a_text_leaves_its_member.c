// A text of four characters and its end do not fit into four bytes, though they fit into the object.
// verdict: bug deref
#include <string.h>
struct s { char name[4]; int value; } one;
int main(void) {
  struct s *p = &one;
  strcpy(p->name, "abcd");
}
