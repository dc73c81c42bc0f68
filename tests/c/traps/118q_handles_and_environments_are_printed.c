// verdict: safe
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
static void say(const char *format, ...) {
  va_list list;
  va_start(list, format);
  vprintf(format, list);
  va_end(list);
}
int main(int argc, char **argv) {
  char *home = getenv("HOME");
  if (home)
    printf("%s %s\n", home, argv[0]);
  say("%lu %s\n", pthread_self(), "x");
}
