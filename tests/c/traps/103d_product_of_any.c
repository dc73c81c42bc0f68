// verdict: bug overflow
// options: --verify --check no-overflow
long __VERIFIER_nondet_long(void);
int main(void) {
  long l = __VERIFIER_nondet_long();
  return l * 5 == 7;
}
