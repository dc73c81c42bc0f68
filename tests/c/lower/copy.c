struct s { int a, b; } x, y;
int main(void) { x = y; return 0; }
