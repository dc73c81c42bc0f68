// Arrays of more than 64 elements are copied and filled as shorter ones are.
// verdict: safe
#include <assert.h>
#include <pthread.h>
#include <string.h>
struct s { int a[100]; int n; };
struct s x, y;
int big[100], small[10];
short halves[130];
int grid[70][3], other[70][3];
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *copies(void *arg) {
  pthread_mutex_lock(&m);
  y = x;
  pthread_mutex_unlock(&m);
  return arg;
}
static struct s made(int k) {
  struct s r;
  memset(&r, 0, sizeof r);
  r.a[k] = k;
  return r;
}
int main(void) {
  pthread_t t;
  x.a[99] = 7, x.a[0] = 1, x.n = 3;
  pthread_create(&t, 0, copies, 0);
  pthread_join(t, 0);
  assert(y.a[99] == 7 && y.a[0] == 1 && y.a[98] == 0 && y.n == 3);
  struct s z = made(80);
  assert(z.a[80] == 80 && z.a[79] == 0 && z.n == 0);
  z = y;
  assert(z.a[80] == 0 && z.a[99] == 7);
  small[9] = 4;
  memcpy(big, small, sizeof small);
  assert(big[9] == 4 && big[10] == 0);
  big[3] = 9;
  memcpy(small, big, 10 * sizeof(int));
  assert(small[3] == 9);
  memset(halves, 1, sizeof halves);
  assert(halves[129] == 257 && halves[0] == 257);
  grid[69][2] = 5;
  memcpy(other, grid, sizeof grid);
  assert(other[69][2] == 5 && other[69][1] == 0);
}
