// verdict: bug overflow
// options: --check no-overflow
int main(void) {
  long l = 3037000500, r = 3037000500;
  l = l * r;
  return 0;
}
