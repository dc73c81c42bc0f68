// The length of an array is given by a number that is negative.
// verdict: bug index
static int last(int n) {
  int all[n];
  all[0] = 1;
  return all[0];
}
int main(void) { return last(-1); }
