// verdict: refused
int f(int);

int main(void) {
  int (*p)(int) = f;
  return p(1);
}
