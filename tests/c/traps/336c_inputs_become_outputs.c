// verdict: safe
// An `asm` without instructions moves what it is given to what it gives.
#include <assert.h>
#include <stddef.h>

static int array[4], *moved = array;

int main(void) {
  int x = 0, y = 3;
  asm("" : "=r"(x) : "0"(5));
  assert(x == 5);
  asm volatile("" : "+r"(y) : : "memory");
  assert(y == 3);
  int *p;
  asm("" : "=r"(p) : "0"(array));
  assert(p == array);
  *p = 4;
  assert(array[0] == 4);
  asm volatile("" : "+m"(*moved++));
  assert(moved == array + 1);
  unsigned char c = 200;
  asm("addb $100, %0" : "+r"(c));
  assert(c == 44);
  long z;
  asm("mov %1, %0\n\tadd %2, %0" : "=&r"(z) : "r"(2L), "ri"(40L));
  assert(z == 42);
  asm volatile("" : : "r"(y), "m"(x), "i"(sizeof x));
}
