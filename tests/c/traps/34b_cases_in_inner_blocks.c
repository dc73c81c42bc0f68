// verdict: safe
#include <assert.h>
static int copied(int n) {
  int count = 0, turns = (n + 3) / 4;
  switch (n % 4) {
    case 0:
      do {
        count++;
        case 3: count++;
        case 2: count++;
        case 1: count++;
      } while (--turns > 0);
  }
  return count;
}
static int inner(int n) {
  int trace = 0;
  switch (n) {
    case 1: {
      trace += 1;
      case 2: trace += 10;
      if (n == 1) break;
    }
    trace += 100;
    while (trace < 1000) {
      trace += 1000;
    default:
      trace += 10000;
    }
    break;
    case 7 ... 9: trace = 7;
  }
  return trace;
}
static int statement(int n) {
  switch (n) case 3: return 1;
  return 2;
}

int main(void) {
  for (int n = 1; n < 9; n++) assert(copied(n) == n);
  assert(inner(1) == 11 && inner(2) == 11110 && inner(5) == 10000 && inner(8) == 7);
  assert(statement(3) == 1 && statement(4) == 2);
}
