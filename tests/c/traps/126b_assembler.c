// verdict: refused
static int x;
int main(void) {
  asm volatile("rep; stosb" : : "D"(&x), "c"(4), "a"(0) : "memory");
  return x;
}
