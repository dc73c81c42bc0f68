// verdict: safe
#include <assert.h>
#include <stdatomic.h>
#include <stdint.h>
struct three { char c[3]; };
static _Atomic int a;
static _Atomic struct three b;
_Static_assert(__atomic_always_lock_free(sizeof(int), 0), "a word");
_Static_assert(!__atomic_always_lock_free(sizeof(struct three), 0), "three bytes");

int main(void) {
  assert(atomic_is_lock_free(&a) && !__atomic_is_lock_free(3, &b));
  assert(__c11_atomic_is_lock_free(8));
}
