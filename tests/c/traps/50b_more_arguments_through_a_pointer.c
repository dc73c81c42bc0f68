// verdict: safe
// A function with `...` can be called with more arguments, also through a pointer.
#include <assert.h>
int calls;
int note(const char *text, ...) { return ++calls; }
int (*print)(const char *text, ...) = note;

int main(void) {
  print("%d %d", 1, 2);
  print("");
  assert(calls == 2);
}
