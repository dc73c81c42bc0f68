// A program may define a function that is one of POSIX, also with another type.
// verdict: safe
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *strdup(const char *);
int getline(char line[], int room);
static size_t strnlen(const char *, size_t);

int main(void) {
  char b[3];
  char *(*f)(const char *) = strdup;
  assert(strdup("x") == 0 && f("y") == 0 && getline(b, 3) == 7 && b[0] == 'q');
  assert(setenv("a", "b", 1) == 5 && strnlen("abc", 2) == 1 && strlen("abc") == 3);
}

char *strdup(const char *s) { return 0; }
int getline(char line[], int room) {
  line[0] = 'q';
  return 7;
}
int setenv(const char *name, const char *value, int over) { return 5; }
static size_t strnlen(const char *s, size_t most) { return 1; }
