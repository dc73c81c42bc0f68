// verdict: safe
#include <assert.h>
#include <stdbool.h>

struct { bool bit : 1; } s = {true};

int main(void) {
    int hits[2] = {0, 0}, *p = hits;
    bool odd = 3 % 2;
    hits[odd]++;
    p[odd]++;
    assert(*(hits + odd) == 2 && *(p + odd) == 2 && p + odd - odd == hits);
    p += odd;
    assert(*p-- == 2);
    assert(hits[(bool)5] == 2 && odd[hits] == 2 && hits[s.bit] == 2 && hits[0] == 0);
    return 0;
}
