// A block is entered in its middle, and jumps within it lead to other labels of it.
// verdict: safe
#include <assert.h>
int main(void) {
  int fuel = 9, h = 1;
  if (fuel-- > 0 && h % 3 != -1) goto two;
  if (h % 2) {
    if (fuel-- > 0 && h % 3 != 0) goto three;
  one:;
    if (h % 2) { while (fuel-- > 0) { if (fuel-- > 0 && h % 3 != -1) goto three;  }
    three:;
    } else {
      { int own = -799313216; h = h * 2 + own; h = h * 5 + -2043273943 & 0xffff;
      two:;
        if (fuel-- > 0 && h % 3 != 0) goto one;
      }
      h = h * 5 + -640099449 & 0xffff;
    }
  }
  assert(h == 1 && fuel == 5);
  return 0;
}
