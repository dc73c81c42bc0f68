// verdict: safe
#include <assert.h>
#include <stdlib.h>
#include <pthread.h>
#include <string.h>
#define CLEAN(f) __attribute__((cleanup(f)))
static char log_[64]; static int n;
static void put(int *c) { log_[n++] = (char)(*c < 32 ? '0' + *c : *c); }
static void freep(void *p) { free(*(void **)p); }
static int f(int k) {
    CLEAN(put) int a = 'a';
    for (CLEAN(put) int i = 0; ; i++) {
        CLEAN(put) int b = 'b';
        if (k == 0) break;
        if (k == 1) { k = 0; i='i'; continue; }
        if (k == 2) return b + 1;
        if (k == 3) goto out;
        if (k == 4) { k = 0; switch (k) { case 0: { CLEAN(put) int s = 's'; break; } } }
    }
    put(&(int){'-'});
out:;
    CLEAN(put) int c = 'c';
    return ({ CLEAN(put) int e = 'e'; e = 'E'; c + e; });
}
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void unlock(pthread_mutex_t **p) { pthread_mutex_unlock(*p); }
static int x;
static void *t(void *u) { pthread_mutex_lock(&m); CLEAN(unlock) pthread_mutex_t *g = &m; if (x) return 0; x++; return 0; }
#define CHECK(k, s, v) n = 0; memset(log_, 0, 64); r = f(k); assert(!strcmp(log_, s)); assert(r == v)
int main(void) {
    int r;
    CHECK(0, "b0-Eca", 168);
    CHECK(1, "bbj-Eca", 168);
    CHECK(2, "b0a", 99);
    CHECK(3, "b0Eca", 168);
    CHECK(4, "sbb1-Eca", 168);
    char *p CLEAN(freep) = malloc(4), *q CLEAN(freep) = 0;
    pthread_t h; pthread_create(&h, 0, t, 0); t(0); pthread_join(h, 0); assert(x == 1);
    return 0;
}
