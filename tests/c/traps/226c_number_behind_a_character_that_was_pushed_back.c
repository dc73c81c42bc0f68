// How a character that was pushed back becomes part of a number is not modelled.
// verdict: inconclusive
#include <assert.h>
#include <stdio.h>

int main(void) {
  int n;
  ungetc('3', stdin);
  if (scanf("%d", &n) == 1) assert(n == 3);
}
