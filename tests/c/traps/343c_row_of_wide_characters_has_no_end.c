// verdict: bug deref
#include <stdlib.h>
#include <wchar.h>
int main(void) {
  wchar_t w[3];
  mbstowcs(w, "abc", 3);
  return wcslen(w) == 3;
}
