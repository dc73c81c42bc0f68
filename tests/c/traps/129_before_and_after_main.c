// verdict: safe
#include <assert.h>
static int x;
__attribute__((constructor)) static void begin(void) { x = 3; }
__attribute__((destructor)) static void end(void) { assert(x == 4); }

int main(void) {
  assert(x == 3);
  x = 4;
}
