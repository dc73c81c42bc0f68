// Structures are arguments and results: the function has a copy of its own.
// verdict: safe
#include <assert.h>
struct inner { int x, y; };
struct pair { struct inner first; int second[2]; };
struct pair swapped(struct pair p) {
  struct inner old = p.first;
  p.first = (struct inner){p.second[0], p.second[1]};
  p.second[0] = old.x;
  p.second[1] = old.y;
  return p;
}
struct pair global = {{1, 2}, {3, 4}};
int main(void) {
  struct pair q = swapped(global), r;
  assert(global.first.x == 1 && q.first.x == 3 && q.second[1] == 2);
  r = swapped(q);
  assert(r.first.y == 2 && swapped(r).first.y == 4);
  struct pair (*through)(struct pair) = swapped;
  global = through(r);
  assert(global.second[0] == 1);
  r = global = q;
  assert(r.first.x == 3);
  struct pair chosen = r.first.x == 3 ? q : global;
  assert(chosen.second[0] == 1);
}
