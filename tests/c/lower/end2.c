#include <pthread.h>
void reach_error(void) {}
int x;
void *w(void *a) { reach_error(); return 0; }
int main(void) { pthread_t t; pthread_create(&t,0,w,0); return 0; }
