// verdict: bug deref
const int table[2] = {1, 2};
int main(void) {
  int *p = (int *)&table[1];
  *p = 3;
}
