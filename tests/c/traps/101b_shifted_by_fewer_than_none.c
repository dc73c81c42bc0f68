// verdict: bug shift
int main(void) {
  int by = -1;
  return 8 >> by;
}
