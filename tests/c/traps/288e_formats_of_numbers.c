// verdict: safe
#include <stdio.h>
static void show(const char *format, int n) { printf(format, n); }
int main(int argc, char **argv) {
  char made[4] = {'%', 'd', '\n'};
  show("%d\n", 1);
  show("number %5d%%\n", 2);
  show(made, 3);
  return 0;
}
