// verdict: safe
#include <assert.h>
static char long_one[100000];
static int table[300][300];

int main(void) {
  long_one[99999] = 1;
  table[299][299] = 2;
  assert(long_one[99999] == 1 && table[299][299] == 2 && !long_one[5]);
}
