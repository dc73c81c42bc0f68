// A union of which two members are used is bytes seen in two ways.
// verdict: refused
#include <assert.h>
union { int whole; char parts[4]; } word;
int main(void) {
  word.whole = 256;
  assert(word.parts[1] == 0);
}
