// verdict: bug index
#include <stdio.h>
static void show(const char *format, int n) { printf(format, n); }
int main(int argc, char **argv) {
  show("%d\n", 1);
  show("%d of %d\n", 2);
  return 0;
}
