extern void __VERIFIER_atomic_begin(void); extern void __VERIFIER_atomic_end(void);
int x;
int main(void) { __VERIFIER_atomic_begin(); if (x) return 1; __VERIFIER_atomic_end(); return 0; }
