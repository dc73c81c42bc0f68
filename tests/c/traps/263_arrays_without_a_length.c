// An array whose length no declaration says has one element.
// verdict: bug index
#include <assert.h>
int x[], y[];
int y[2];
int main(void) {
  extern int x[];
  x[0] = 1;
  y[1] = 2;
  int at = y[1] - 1;
  assert(x[0] == 1);
  return x[at];
}
