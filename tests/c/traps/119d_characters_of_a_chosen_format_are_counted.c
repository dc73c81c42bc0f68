// verdict: safe
#include <assert.h>
#include <stdio.h>
int main(int argc, char **argv) {
  int n = 0;
  char b[10];
  const char *format = argc > 5 ? "%n" : "%d%n";
  snprintf(b, 10, format, 42, &n);
  assert(n == 2);
}
