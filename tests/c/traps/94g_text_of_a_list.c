// A text that is made from a list of arguments is known, whatever function has it made.
// verdict: safe
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static char text[32];
static int list(const char *format, va_list rest) { return vsnprintf(text, sizeof text, format, rest); }
static int say(const char *format, ...) {
  va_list rest;
  va_start(rest, format);
  int length = list(format, rest);
  va_end(rest);
  return length;
}
int main(void) {
  assert(say("%d", 3) == 1 && !strcmp(text, "3"));
  assert(say("[%+d][%-4s][%04x][%c][%ld]", 5, "ab", 255, 'q', -3L) == 23);
  assert(!strcmp(text, "[+5][ab  ][00ff][q][-3]"));
  char format[] = "%.2d|%#o";
  sprintf(text, format, 7, 8);
  assert(!strcmp(text, "07|010"));
  char *made;
  assert(asprintf(&made, "%s-%d", "job", 7) == 5 && !strcmp(made, "job-7"));
  free(made);
  return 0;
}
