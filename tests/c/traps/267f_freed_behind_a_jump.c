// Memory that a function with a jump frees may be handed out again.
// options: --heap-reuse
// verdict: bug assertion
#include <assert.h>
#include <setjmp.h>
#include <stdlib.h>
static jmp_buf at;
static void refuse(void) { longjmp(at, 1); }
static void release(int *p) {
  if (!setjmp(at)) refuse();
  free(p);
}
int main(void) {
  int *old = malloc(sizeof *old);
  release(old);
  int *fresh = malloc(sizeof *fresh);
  assert(old != fresh);
  free(fresh);
}
