// verdict: safe
#include <assert.h>
#include <stdio.h>
#include <time.h>
int main(void) {
  int r = putchar(65);
  assert(r == 65 || r == EOF);
  r = fputc(-1, stderr);
  assert(r == 255 || r == EOF);
  r = puts("a");
  assert(r >= 0 || r == EOF);
  r = fputs("a", stdout);
  assert(r >= 0 || r == EOF);
  r = printf("abc%%");
  assert(r == 4 || r < 0);
  r = printf("%d %s\n", 42, "x");
  assert(r == 5 || r < 0);
  r = fprintf(stderr, "x");
  assert(r == 1 || r < 0);
  r = fflush(stdout);
  assert(r == 0 || r == EOF);
  assert(clock() >= -1 && ftell(stdin) >= -1);
  return 0;
}
