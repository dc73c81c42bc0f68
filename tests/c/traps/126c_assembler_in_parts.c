// verdict: safe
static int x;
int main(void) {
  asm volatile("pause\n" "incl %0" : "+m"(x));
  return x != 1;
}
