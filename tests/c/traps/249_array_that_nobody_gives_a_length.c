// verdict: safe
// An array that no declaration gives a length has one element.
#include <assert.h>
#include <stdlib.h>
int numbers[];
static pthread_mutex_t *none;
int main(void)
{
    extern int numbers[];
    numbers[0] = 1;
    assert(numbers[0] == 1 && !none);
}
