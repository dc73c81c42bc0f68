// verdict: safe
#include <assert.h>
#include <stdio.h>
#include <string.h>
int main(void) {
  char line[8];
  if (!fgets(line, sizeof line, stdin)) return 0;
  char *end = strchr(line, '\n');
  if (end) assert(end[1] == 0);
  assert(strlen(line) < 8);
  return 0;
}
