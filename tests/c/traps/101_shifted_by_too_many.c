// A number of 32 bits has no 32nd bit to be shifted to.
// verdict: bug shift
int main(void) {
  unsigned x = 1;
  int by = 32;
  x <<= by;
  return x;
}
