// verdict: safe
#include <stdarg.h>
#include <stdio.h>
static void say(FILE *f, const char *format, ...) {
  va_list list;
  va_start(list, format);
  vfprintf(f, format, list);
  va_end(list);
}
int main(void) {
  FILE *f = fopen("x", "w");
  if (f) {
    fputs("abc", f);
    say(f, "%s", "x");
  }
  fprintf(stderr, "%d\n", 1);
  fputc('c', stdout);
}
