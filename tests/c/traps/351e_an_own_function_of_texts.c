// The program has a function of its own by that name, which may write as far as it likes.
// verdict: safe
#include <string.h>
struct s { char name[4]; char more[4]; } one;
char *strcpy(char *to, const char *from) {
  for (int i = 0; i < 6; i++) to[i] = from[i];
  return to;
}
int main(void) {
  strcpy(one.name, "abcde");
  return one.more[0] != 'e';
}
