extern unsigned char __VERIFIER_nondet_uchar(void); extern void __VERIFIER_assume(int);
extern void reach_error(void);
int main(void) { unsigned char c = __VERIFIER_nondet_uchar(); __VERIFIER_assume(c < 10); if (c == 10) reach_error(); return 0; }
