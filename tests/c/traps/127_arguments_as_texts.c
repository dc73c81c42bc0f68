// verdict: safe
// options: --args --count=3
#include <assert.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  assert(argc == 2 && argv[2] == NULL);
  char *at = argv[1];
  assert(at[0] == '-' && strncmp(at, "--count", 7) == 0);
  char *value = strchr(at, '=');
  *value++ = 0;
  assert(atoi(value) == 3 && strlen(argv[1]) == 7);
  for (int i = 0; i < argc; i++) assert(argv[i][0]);
}
