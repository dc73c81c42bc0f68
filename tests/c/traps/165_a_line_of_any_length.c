// A line that is read has a character, and may be longer than `--heap` allows.
// verdict: inconclusive
// options: --heap 8
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  char *line = NULL;
  size_t room = 0;
  ssize_t n = getline(&line, &room, stdin);
  if (n < 0) {
    free(line);
    return 0;
  }
  assert(n > 0 && line[n] == 0 && (size_t)n < room);
  free(line);
  return 0;
}
