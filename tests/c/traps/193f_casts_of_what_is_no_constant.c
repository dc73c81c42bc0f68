// verdict: safe
#include <assert.h>
#include <string.h>
struct pair { const int m; int n; };
int main(void) {
    const int k = 3;
    struct pair s = {1, 2};
    const int *p = &s.n;
    *(int *)p = 4;
    *(unsigned *)&s.n += *(unsigned *)&k;
    int copy;
    memcpy(&copy, (void *)&k, sizeof copy);
    assert(s.n == 7 && copy == 3);
    return 0;
}
