// A copy of bits reads the number: another thread writes it.
// verdict: bug race
#include <assert.h>
#include <string.h>
#include <stdint.h>
#include <pthread.h>
#include <stdlib.h>
double d; uint64_t u;
void *t(void *x) { memcpy(&u, &d, 8); return 0; }
int main(void){ pthread_t a; pthread_create(&a,0,t,0); d=2; pthread_join(a,0); void *p=malloc(8); memcpy(p,&d,8); double e; memcpy(&e,p,8); assert(e==2); return 0;}
