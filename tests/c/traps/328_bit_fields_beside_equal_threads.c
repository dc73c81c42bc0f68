// Two threads of one kind, and bit-fields in a number of 23 bits: not each of its values is tried to see that threads do the same.
// verdict: safe
#include <pthread.h>
#include <assert.h>
static struct { int pad : 8, x : 7, y : 8; } bf;
static unsigned long sum; static unsigned acc;
static void mix(long v) { sum = sum * 31 + (unsigned long)v; }
static pthread_mutex_t mu = PTHREAD_MUTEX_INITIALIZER;
static void *th(void *p) { pthread_mutex_lock(&mu); acc += (unsigned char)(long)p; pthread_mutex_unlock(&mu); return 0; }
int main(void) {
  pthread_t t[2]; for (long i = 0; i < 2; i++) pthread_create(&t[i], 0, th, (void *)(i + 1));
  pthread_join(t[0],0); pthread_join(t[1],0); mix(acc); mix(bf.x); mix(bf.y);
  assert(sum != 5);
}
