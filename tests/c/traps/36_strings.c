// The functions for strings do what they do, and go out of bounds where they do.
// verdict: bug index
#include <assert.h>
#include <stdlib.h>
#include <string.h>
struct named { char name[8]; int value; };
int main(void) {
  struct named one;
  char text[4];
  strcpy(one.name, "abc");
  strcat(one.name, "de");
  assert(strlen(one.name) == 5 && strcmp(one.name, "abcde") == 0 && strcmp("ab", "abc") < 0);
  assert(strncmp(one.name, "abX", 2) == 0 && *strchr(one.name, 'd') == 'd' && !strchr("x", 'y'));
  char *made = malloc(strlen(one.name) + 1);
  strcpy(made, one.name);
  assert(strrchr(made, 'e') == made + 4);
  free(made);
  text[one.name[4] - 'a'] = 0; // one beyond the end
}
