// verdict: safe
// A member may have the name of a function of the library.
#include <assert.h>
#include <stdlib.h>
struct functions { void *(*malloc)(size_t); void *(*realloc)(void *, size_t); void (*free)(void *); };
static int grown;
static void *grow(void *old, size_t size)
{
    grown++;
    return realloc(old, size);
}
int main(void)
{
    struct functions ours = { malloc, grow, free }, theirs = { malloc, realloc, free };
    struct functions *all[] = { &ours, &theirs };
    for (int i = 0; i < 2; i++) {
        int *numbers = all[i]->malloc(2 * sizeof *numbers);
        numbers[0] = 3;
        numbers[1] = 4;
        numbers = all[i]->realloc(numbers, 3 * sizeof *numbers);
        numbers[2] = 5;
        assert(numbers[0] + numbers[1] + numbers[2] == 12);
        all[i]->free(numbers);
    }
    assert(grown == 1);
}
