// verdict: safe
// Arguments that a function does not name are read there, and by the function to which it gives the list.
#include <stdarg.h>
#include <assert.h>
static int sum(int n, ...) {
    va_list ap;
    va_start(ap, n);
    int s = 0;
    for (int i = 0; i < n; i++)
        s += va_arg(ap, int);
    va_end(ap);
    return s;
}
static int vlast(const char *types, va_list ap) {
    int last = 0;
    for (; *types; types++) {
        switch (*types) {
        case 'i': last = va_arg(ap, int); break;
        case 'p': last = *va_arg(ap, int *); break;
        case 's': last = va_arg(ap, char *)[0]; break;
        case 'l': last = (int)va_arg(ap, long); break;
        }
    }
    return last;
}
static int last(const char *types, ...) {
    va_list ap, copy;
    va_start(ap, types);
    va_copy(copy, ap);
    int r = vlast(types, ap);
    va_end(ap);
    int r2 = vlast(types, copy);
    assert(r == r2);
    va_end(copy);
    return r;
}
int main(void) {
    int x = 5;
    assert(sum(0) == 0);
    assert(sum(3, 1, 2, 3) == 6);
    assert(sum(2, 1, 2, 3) == 3);
    assert(last("ip", 1, &x) == 5);
    assert(last("is", 1, "abc") == 'a');
    assert(last("l", 7L) == 7);
    x = 9;
    assert(last("p", &x) == 9);
    return 0;
}
