// verdict: safe
#include <stdio.h>
int main(void) {
  char *none = 0;
  perror(0);
  perror(none);
  perror("x");
}
