// Nothing says how often this loop turns: the search does not follow it for ever.
// verdict: inconclusive
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), i = 0;
  for (; i < n; i++)
    ;
  return 0;
}
