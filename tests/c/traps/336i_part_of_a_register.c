// verdict: refused
int main(void) {
  int v = 255;
  asm("add $1, %b0" : "+r"(v));
  return v;
}
