// verdict: bug deref
#include <stddef.h>
static size_t get(void *a) { return *(size_t *)a; }
int main(void) {
    int x = 4;
    return (int)get(&x);
}
