// verdict: safe
// Each call of a recursive function has variables of its own, in each thread; pointers lead from inner calls to those of outer ones.
#include <assert.h>
#include <pthread.h>
struct frame { int number; struct frame *outer; };
static int odd(int n, struct frame *outer, int *result);
static int sum(const struct frame *frame)
{
    int all = 0;
    for (; frame; frame = frame->outer)
        all += frame->number;
    return all;
}
static int even(int n, struct frame *outer, int *result)
{
    struct frame own = { n, outer };
    int squares[n + 1];
    for (int i = 0; i <= n; i++)
        squares[i] = i * i;
    if (n == 0)
        return *result = sum(&own);
    odd(n - 1, &own, &squares[n]);
    assert(own.number == n && squares[0] == 0);
    return *result = squares[n];
}
static int odd(int n, struct frame *outer, int *result)
{
    static _Thread_local int calls;
    int inner = n, *to = &calls;
    *to += 1;
    even(n - 1, outer, &inner);
    return *result = inner + *to;
}
static void *run(void *arg)
{
    int result = 0, n = *(int *)arg;
    even(n, 0, &result);
    assert(result == (n == 2 ? 3 : 10));
    return 0;
}
int main(void)
{
    pthread_t threads[2];
    int numbers[2] = { 2, 4 };
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, run, &numbers[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
}
