// A file may hold zeros, so a line that was read may be an empty text.
// verdict: bug index
#include <stdio.h>
#include <string.h>
int main(void) {
  char line[8];
  if (!fgets(line, sizeof line, stdin)) return 0;
  line[strlen(line) - 1] = 0;
  return 0;
}
