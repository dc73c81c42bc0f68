// verdict: bug assertion
#include <assert.h>
#include <stdio.h>

int main(void) {
  ungetc('y', stdin);
  rewind(stdin);
  assert(getchar() == 'y');
}
