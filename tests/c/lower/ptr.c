int x; int main(void) { int *p = &x; *p = 1; return 0; }
