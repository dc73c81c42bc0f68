// A union that may hold a floating number holds an integer where one was written last.
// verdict: safe
#include <assert.h>
struct value { int tag; union { long number; double real; const char *text; } as; };
struct value all[3] = { { 0, { .number = 7 } }, { 1, { .real = 0.5 } }, { 2, { .text = "x" } } };
int main(void) {
  long sum = 0;
  for (int i = 0; i < 3; i++) {
    struct value v = all[i];
    if (v.tag == 0) sum += v.as.number;
    if (v.tag == 2) sum += v.as.text[0];
  }
  assert(sum == 7 + 'x');
}
