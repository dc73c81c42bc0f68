// verdict: safe
#include <assert.h>
#include <stdio.h>
#include <string.h>
int main(void) {
  char word[4] = "old", set[3];
  double d = 0.5;
  int n = 7, r = scanf("%3s %lf", word, &d);
  assert(r >= -1 && r <= 2);
  if (r < 1) assert(!strcmp(word, "old"));
  if (r < 2) assert(d == 0.5);
  if (r >= 1) assert(strlen(word) > 0 && word[0] != ' ');
  r = scanf("%*d %2[a-c]%n", set, &n);
  if (r < 1) assert(n == 7);
  if (r == 1) assert(n >= 0 && set[0] >= 'a' && set[0] <= 'c');
  return 0;
}
