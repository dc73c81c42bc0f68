// The error is known by the function's name, whatever its body.
// verdict: bug assertion
void reach_error(void) {}
int x;
int main(void) { x = 1; if (x == 1) reach_error(); return 0; }
