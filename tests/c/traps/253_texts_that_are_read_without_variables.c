// verdict: safe
#include <assert.h>
#include <stdio.h>
int main(void) {
  int n = 5;
  int read = fscanf(stdin, "%d 100%%", &n);
  assert(read <= 1 && (read == 1 || n == 5));
  read = scanf(" abc\n");
  assert(read == 0 || read == EOF);
}
