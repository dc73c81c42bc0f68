// A number is written beyond the end of a member.
// verdict: bug deref
#include <stdio.h>
struct s { char name[4]; char more[4]; } one;
int main(void) {
  snprintf(one.name, sizeof one, "%d", 1234);
}
