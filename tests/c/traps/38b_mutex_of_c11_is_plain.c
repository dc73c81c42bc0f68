// A plain mutex of C11 that its holder takes again waits for ever.
// verdict: bug deadlock
#include <threads.h>
int main(void) {
  mtx_t m;
  mtx_init(&m, mtx_plain);
  mtx_lock(&m);
  mtx_lock(&m);
}
