// verdict: refused
int main(void) {
  int x = 0, old = 0;
  asm volatile("cmpxchgl %2, %1" : "+a"(old), "+m"(x) : "r"(1));
  return x;
}
