// verdict: bug assertion
#include <assert.h>

int last;
static void ends(int *p) { last = *p; }

int main(void) {
    {
        int x __attribute__((cleanup(ends))) = 4;
    }
    assert(last == 0);
    return 0;
}
