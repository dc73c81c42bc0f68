// `isdigit` looks a number up in a table; `tolower` may get any.
// verdict: bug deref
#include <assert.h>
#include <ctype.h>
#include <stdio.h>
int main(void) {
  assert(!isdigit(EOF) && !isalpha('\xe4') && !isspace(255) && tolower(1000) == 1000 && isxdigit('f') && iscntrl(127));
  return isdigit(1000);
}
