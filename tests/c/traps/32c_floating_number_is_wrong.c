// verdict: bug assertion
#include <assert.h>
int main(int argc, char **argv) {
  double sum = 0;
  for (int i = 0; i < 10 * argc; i++) sum += 0.1;
  assert(sum == 1);
}
