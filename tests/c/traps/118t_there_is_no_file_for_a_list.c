// verdict: bug deref
#include <stdarg.h>
#include <stdio.h>
static void say(FILE *f, const char *format, ...) {
  va_list list;
  va_start(list, format);
  vfprintf(f, format, list);
  va_end(list);
}
int main(void) { say(fopen("x", "w"), "%d %s", 1, "x"); }
