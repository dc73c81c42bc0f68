// verdict: bug assertion
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
static char text[32];
static void say(const char *format, ...) {
  va_list rest;
  va_start(rest, format);
  vsnprintf(text, sizeof text, format, rest);
  va_end(rest);
}
int main(void) {
  say("%d", 42);
  assert(text[1] == '3');
  return 0;
}
