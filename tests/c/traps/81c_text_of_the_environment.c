// verdict: inconclusive
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  char line[8];
  FILE *f = fopen("settings", "r");
  if (!f) {
    perror("settings");
    return 1;
  }
  if (fgets(line, sizeof line, f))
    assert(strlen(line) < sizeof line);
  int c = fgetc(f);
  assert(c >= -1 && c < 256);
  fprintf(f, "%d", c);
  fclose(f);
  const char *home = getenv("HOME");
  if (home)
    return home[0] == 47;
  return 0;
}
