// verdict: safe
#include <assert.h>
struct small { int a; };
struct large { int a; long b; };
static int first(void *p) { return ((struct large *)p)->a; }
int main(void) {
    struct small s = {3};
    assert(first(&s) == 3);
    return 0;
}
