int z; int main(void) { int a = 1 / z; return a; }
