// verdict: safe
#include <assert.h>
#include <string.h>

struct none { int n; int z[0]; };
struct open { short n; int z[]; };
static struct none s, array[2];
static struct open o;

int main(void) {
  struct none t = {1}, u = t;
  struct open p;
  struct none *q = &array[1];
  p.n = 2;
  memset(&s, 0, sizeof s);
  s.n = o.n = u.n + p.n;
  q->n = 4;
  assert(s.n == 3 && o.n == 3 && array[0].n == 0 && array[1].n == 4);
  assert(sizeof s == 4 && sizeof o == 4);
}
