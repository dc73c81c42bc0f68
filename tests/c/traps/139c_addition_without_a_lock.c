// verdict: refused
int main(void) {
  asm volatile("addl $0,0(%%rsp)" ::: "memory");
}
