// verdict: bug assertion
// The bytes between the members are compared, too.
#include <assert.h>
#include <stdbool.h>
struct client { bool known; int *count; };
static struct client all;

int main(void) {
  int count = 0;
  struct client nobody = {0}, new = {true, &count};
  assert(__atomic_compare_exchange(&all, &nobody, &new, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
}
