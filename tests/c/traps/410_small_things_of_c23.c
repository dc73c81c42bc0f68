// verdict: safe
#include <assert.h>
#include <stdio.h>
#include <string.h>
struct pair { int l, r; struct { char c; } *next; };
struct point { int x, y; struct point *next; };
struct point { int x, y; struct point *next; };
enum answer : bool { no, yes };
static int sum(int n) {
  int v[n] = {}, s = 0, w[2][n] = {};
  for (int i = 0; i < n; i++) s += v[i] + w[1][i];
  v[0] = w[1][0] = 7;
  return s;
}
int main(void) {
  struct point p = {1, 2};
  enum answer a = yes, b = 5;
  char text[40];
  assert(sum(3) == 0 && sum(5) == 0 && p.y == 2);
  assert(a == 1 && b == yes && sizeof a == 1 && no == 0);
  snprintf(text, sizeof text, "%b %#b %08b|%#b", 5u, 5u, 5u, 0u);
  assert(!strcmp(text, "101 0b101 00000101|0"));
}
