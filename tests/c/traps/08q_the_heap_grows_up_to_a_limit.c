// A program that makes objects for ever is not followed for ever, and nothing is claimed of it.
// verdict: inconclusive
#include <stdlib.h>
int main(void) {
  for (;;) {
    int *one = malloc(sizeof *one);
    *one = 1;
  }
}
