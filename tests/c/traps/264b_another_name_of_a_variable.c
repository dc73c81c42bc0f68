// verdict: refused
int v = 3;
extern int w __attribute__((alias("v")));
int main(void) {
  w = 4;
  return v;
}
