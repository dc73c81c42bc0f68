// verdict: bug deref
int main(void) {
  int a[4] = {1, 2, 3, 4};
  return (&a)[1][0];
}
