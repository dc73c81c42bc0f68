// verdict: safe
#include <assert.h>
#include <stdio.h>

/* A coroutine keeps the label where it goes on. */
struct counter { void *at; int i; };

static int next(struct counter *c) {
    if (c->at) goto *c->at;
    for (c->i = 0; c->i < 3; c->i++) {
        c->at = &&resume;
        return c->i;
    resume:;
    }
    c->at = &&done;
done:
    return -1;
}

int main(void) {
    struct counter c = { 0 };
    for (int i = 0; i < 3; i++) assert(next(&c) == i);
    assert(next(&c) == -1);
    assert(next(&c) == -1);
    void *here = ({ __label__ own; own: &&own; });
    printf("%p\n", here);
    return 0;
}
