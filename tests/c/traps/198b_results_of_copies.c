// verdict: safe
#include <assert.h>
#include <stdlib.h>
#include <string.h>
struct pair { int a, b; };
static char *copy(const char *s) {
    size_t n = strlen(s) + 1;
    return memcpy(malloc(n), s, n);
}
int main(void) {
    char d[8], whole[4];
    char *p = memset(d, 0, sizeof d);
    assert(p == d && *p == 0);
    assert(strlen(memcpy(d, "xyz", 4)) == 3);
    assert(*(char *)memmove(d + 1, d, 3) == 'x' && d[1] == 'x');
    p = copy("abc");
    assert(strcmp(p, "abc") == 0);
    free(p);
    struct pair from = {1, 2}, to, *q = memcpy(&to, &from, sizeof to);
    assert(q == &to && q->b == 2);
    q = memset(malloc(sizeof *q), 0, sizeof *q);
    assert(q->a == 0 && q->b == 0);
    free(q);
    p = memcpy(whole, d, sizeof whole);
    p[0] = 'y';
    assert(whole[0] == 'y' && whole[1] == 'x');
    return 0;
}
