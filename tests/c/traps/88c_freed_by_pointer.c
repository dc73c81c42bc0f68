// What is freed by a pointer to `free` is gone.
// verdict: bug deref
#include <stdlib.h>
struct list { int *data; void (*destroy)(void *); };
int main(void) {
  struct list a = { malloc(sizeof(int)), free };
  a.destroy(a.data);
  *a.data = 1;
}
