// verdict: bug assertion
#include <assert.h>
int main(int argc, char **argv) {
  int n = 0;
  switch (argc) {
    case 2: {
      n = 1;
      case 1: n += 2;
    }
  }
  assert(n == 3);
}
