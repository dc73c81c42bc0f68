// What was pushed back is read next, from its own file, unless something else is read there.
// verdict: safe
#include <assert.h>
#include <stdio.h>

int main(void) {
  int c = getchar();
  if (c == EOF) {
    assert(ungetc(c, stdin) == EOF);
    return 0;
  }
  assert(ungetc(c, stdin) == c && getc(stdin) == c);
  assert(ungetc('x', stdin) == 'x' && getchar() == 'x');
  FILE *f = fopen("a", "r");
  if (!f) return 0;
  ungetc(200, f);
  fgetc(stdin);
  assert(fgetc(f) == 200);
  ungetc('y', f);
  fclose(f);
}
