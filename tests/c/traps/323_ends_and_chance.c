// verdict: safe
#define _GNU_SOURCE
#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

// The last handler runs first.
static int last;
static void first_added(void) { assert(last == 2); }
static void second_added(void) { last = 2; }

int main(void) {
    char text[] = "COLOUR=red";
    if (!putenv(text)) assert(getenv("COLOUR"));
    clearenv();
    assert(!getenv("COLOUR") && !getenv("SHAPE"));
    if (!setenv("COLOUR", "blue", 1)) assert(getenv("COLOUR"));
    unsigned short state[3] = {1, 2, 3};
    assert(nrand48(state) >= 0 && lrand48() >= 0 && jrand48(state) <= 2147483647 && mrand48() <= 2147483647);
    assert(imaxabs(-3) == 3 && imaxdiv(-7, 2).rem == -1);
    double whole, part = modf(-2.5, &whole);
    int power;
    assert(whole == -2 && part == -0.5 && frexp(-12, &power) == -0.75 && power == 4);
    assert(!at_quick_exit(first_added) && !at_quick_exit(second_added));
    quick_exit(0);
}
