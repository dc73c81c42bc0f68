// verdict: bug free
#include <stdlib.h>

struct allocator { void *(*take)(size_t); void (*give)(void *); };

static void use(const struct allocator *by, int twice) {
    int *p = by->take(sizeof *p);
    *p = 1;
    by->give(p);
    if (twice) by->give(p);
}

int main(void) {
    static const struct allocator standard = { malloc, free };
    use(&standard, 0);
    use(&standard, 1);
    return 0;
}
