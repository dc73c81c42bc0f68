// verdict: bug deref
#include <setjmp.h>
static jmp_buf at;
static int begin(void) { return setjmp(at); }
static int other(void) { jmp_buf own; return setjmp(own); }
static void fail(void) {
  other();
  longjmp(at, 1);
}
int main(void) {
  if (begin() == 0) fail();
}
