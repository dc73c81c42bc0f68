// verdict: safe
// options: --no-races
// `sum` is read beside the sections, and races.
// What stands after such a label is a thread; it has copies of the local variables as they are when it begins.
int sum;

void add(int n) {
  __CPROVER_atomic_begin();
  sum += n;
  __CPROVER_atomic_end();
}

int main(void) {
  int n = 2;
  if (n > 1) {
  __CPROVER_ASYNC_1: add(n);
  }
  n = 5;
__CPROVER_ASYNC_1: add(1);
__CPROVER_ASYNC_2: __CPROVER_assert(sum == 0 || sum == 1 || sum == 2 || sum == 3, "one or both");
  return 0;
}
