// Numbers wrap, unless it is asked whether they do.
// verdict: bug overflow
// options: --property no-overflow --nondet 2147483640..2147483647
int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  unsigned fine = (unsigned)n * 4;
  return (n + 1) > 0 && fine;
}
