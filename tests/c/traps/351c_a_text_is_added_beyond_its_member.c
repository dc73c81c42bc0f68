// A text that is added leaves the member.
// verdict: bug deref
#include <string.h>
struct s { char name[4]; int value; } one;
int main(void) {
  struct s *p = &one;
  strcpy(one.name, "ab"), strcat(one.name, "cd");
}
