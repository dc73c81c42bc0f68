// A priority is a constant number from 0 to 65535.
// verdict: refused
__attribute__((constructor(65536))) static void far(void) {}
int main(void) { return 0; }
