// verdict: bug assertion
// The statement runs beside what follows it.
int x;

int main(void) {
__CPROVER_ASYNC_1: x = 1;
  x = 2;
  __CPROVER_assert(x == 2, "nobody else writes");
  return 0;
}
