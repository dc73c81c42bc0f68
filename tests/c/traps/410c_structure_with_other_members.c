// verdict: refused
struct point { int x, y; };
struct point { int x; long y; };
int main(void) {}
