// verdict: bug assertion
// They go on when `main` has ended: here it ends before the thread looks.
int ended;

void look(void) { __CPROVER_assert(!ended, "main goes on"); }

int main(void) {
__CPROVER_ASYNC_1: look();
  ended = 1;
  return 0;
}
