// verdict: safe
// A program may declare `malloc` for itself, with another type of number, if no header that it includes declares it.
#include <assert.h>
#include <stdio.h>
#include <string.h>
void *malloc(unsigned size);
void free(void *p);

int main(void) {
  char *p = malloc(4);
  char *q = strdup("ab");
  p[3] = 1;
  assert(p[3] == 1 && q[1] == 'b');
  free(p);
  free(q);
}
