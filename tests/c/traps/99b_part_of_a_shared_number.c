// Each thread writes a byte of its own of one number: the rest of the number must stay, and that is not followed.
// verdict: inconclusive
#include <assert.h>
#include <pthread.h>
static int x;
static void *w(void *a) { ((unsigned char *)&x)[1] = 1; return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); ((unsigned char *)&x)[0] = 1; pthread_join(t, 0); assert(x == 0x101); return 0; }
