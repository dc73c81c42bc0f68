// verdict: safe
#include <stdarg.h>
#include <stdio.h>
static void say(const char *format, ...) {
  char text[32];
  va_list rest;
  va_start(rest, format);
  vsnprintf(text, sizeof text, format, rest);
  va_end(rest);
  puts(text);
}
int main(void) {
  char text[32];
  snprintf(text, sizeof text, "%.1f %p", 0.5, (void *)stdout);
  fputs(text, stdout);
  say("%d", 3);
  return 0;
}
