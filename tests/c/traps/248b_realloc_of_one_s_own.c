// verdict: bug assertion
// The program's own definition takes the place of the header's.
#include <assert.h>
#include <stdlib.h>
void *realloc(void *old, size_t size)
{
    return 0;
}
int main(void)
{
    assert(realloc(0, 4));
}
