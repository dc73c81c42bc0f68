// Nothing is known after it, so nothing is proved.
// verdict: inconclusive
// options: --property unreach-call
int main(void) {
  int by = 40;
  return 1 << by;
}
