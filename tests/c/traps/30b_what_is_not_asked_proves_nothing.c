// After a bad access anything may happen: who asks about assertions gets no proof.
// verdict: inconclusive
// options: --property unreach-call
void reach_error(void) {}
int *nowhere;
int main(void) {
  *nowhere = 1;
  return 0;
}
