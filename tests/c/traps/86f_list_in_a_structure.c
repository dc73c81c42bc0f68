// verdict: refused
// Whose arguments a list in a structure means is not followed.
#include <stdarg.h>

struct state { va_list all; };

static int next(struct state *s) { return va_arg(s->all, int); }

static int first(int count, ...) {
  struct state s;
  va_start(s.all, count);
  int value = next(&s);
  va_end(s.all);
  return value;
}

int main(void) { return first(1, 7); }
