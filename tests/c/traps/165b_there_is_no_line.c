// verdict: bug deref
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  char *line = NULL;
  size_t room = 0;
  getline(&line, &room, stdin);
  line[0] = 'x';
  free(line);
  return 0;
}
