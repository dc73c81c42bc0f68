// verdict: bug deref
#include <string.h>
int main(void) {
  char own[4];
  char *all[2] = {own, "abc"};
  for (int i = 0; i < 2; i++)
    strcpy(all[i], "xyz");
}
