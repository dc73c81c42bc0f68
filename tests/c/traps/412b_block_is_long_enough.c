// Blocks of a size that is only known when the program runs hold what is touched, if not the whole structure.
// verdict: safe
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
struct s { int a; long b; int c[4]; };
struct odd { int a, b, c; };
struct tail { long a; int len; char text[]; };
int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 3) return 0;
  struct s *p = malloc(sizeof *p - n);
  p->a = 1;
  p->b = 2;
  p->c[2] = 3;
  free(p);
  struct odd *q = malloc(n * sizeof *q), o = {1, 2, 3};
  for (int i = 0; i < n; i++) q[i] = o;
  q[n - 1].c = 4;
  free(q);
  struct tail *t = malloc(offsetof(struct tail, text) + n);
  t->len = n;
  memset(t->text, 0, n);
  t->text[n - 1] = 1;
  free(t);
  size_t size = n * sizeof(int);
  int *numbers = malloc(size);
  numbers[n - 1] = 1;
  free(numbers);
  return 0;
}
