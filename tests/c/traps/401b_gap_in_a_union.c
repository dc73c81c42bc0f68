// A union may have bytes that only an unused member has. No byte between members is read as zero after it was filled.
// verdict: inconclusive
#include <assert.h>
#include <string.h>
union {
  struct {
    char c;
    int i;
  } s;
  long unused;
} u;
int main(void) {
  memset(&u, 0xff, sizeof u);
  assert(u.s.c == -1 && ((unsigned char *)&u)[2] == 0);
  return 0;
}
