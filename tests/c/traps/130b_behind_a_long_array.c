// verdict: bug index
static char long_one[100000];
int main(int argc, char **argv) {
  int at = 99999;
  return long_one[at + argc];
}
