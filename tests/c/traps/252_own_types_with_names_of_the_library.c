// verdict: safe
#include <assert.h>
#include <unistd.h>
typedef struct { int ends[2]; } sem_t;
typedef struct { int depth; } mtx_t;
typedef int thrd_t;
static void sem_init(sem_t *s, int n) { s->ends[0] = n; s->ends[1] = -n; }
int main(void) {
  sem_t s, copy;
  mtx_t m = { 2 };
  thrd_t t = 3;
  sem_init(&s, 4);
  copy = s;
  assert(copy.ends[0] + copy.ends[1] == 0 && m.depth + t == 5);
}
