int a[3]; int main(void) { int i = 3; a[i] = 1; return 0; }
