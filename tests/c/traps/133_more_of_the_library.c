// verdict: safe
#include <alloca.h>
#include <assert.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
  int *a = alloca(4 * sizeof(int));
  a[3] = 1;
  int *b = __builtin_alloca(2 * sizeof(int));
  b[1] = a[3];
  assert(b[1] == 1);
  void *p;
  assert(posix_memalign(&p, 64, 2 * sizeof(int)) == 0);
  ((int *)p)[1] = 2;
  free(p);
  int *again = realloc(0, 2 * sizeof(int));
  again[1] = 2;
  free(again);
  char text[10], *rest = text;
  assert(stpcpy(text, "a,b") == text + 3);
  assert(!strcmp(strsep(&rest, ","), "a") && !strcmp(rest, "b"));
}
