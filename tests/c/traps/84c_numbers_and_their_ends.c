// Numbers of any base, and where they end.
// verdict: safe
#include <assert.h>
#include <stdlib.h>
int main(void) {
  char *end;
  const char *text = " -12x";
  assert(strtol(text, &end, 10) == -12 && *end == 'x');
  assert(strtoul("ff", NULL, 16) == 255 && strtol("0x1F", NULL, 0) == 31 && strtol("017", &end, 0) == 15);
  assert(*end == 0);
  assert(strtol("0xg", &end, 16) == 0 && *end == 'x');
  text = "none";
  assert(strtol(text, &end, 10) == 0 && end == text);
  assert(strtoll("zz", 0, 36) == 1295 && atoi("0") == 0 && atol("+7") == 7 && strtol("08", &end, 0) == 0 && *end == '8');
}
