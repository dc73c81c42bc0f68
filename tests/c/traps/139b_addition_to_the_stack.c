// verdict: refused
int main(void) {
  asm volatile("lock; addl $1,0(%%rsp)" ::: "memory");
}
