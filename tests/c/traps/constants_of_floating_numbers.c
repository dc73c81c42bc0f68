// verdict: safe
#include <assert.h>
#include <math.h>

// What a constant of floating numbers comes to, where it is rounded, and where it becomes an integer.
static double wide = 2.5f, narrow = (float)0.1, part = 1.0f / 3.0f, twice = (double)(float)2.5;
static float single = 2.75, most = 16777217;
static int cut = 3.9, more = (double)0.5f > 0, any = !!(double)0.5f, five = 2 * (double)(float)2.5;
static int unlike = NAN != NAN, like = NAN == NAN, less = NAN < 1, above = INFINITY > 1e300;
_Static_assert((double)0.5f > 0 && (double)(float)2.5 == 2.5, "they keep their fractions");

int main(void) {
    static double inner = 1.5f;
    assert(wide == 2.5 && inner == 1.5 && twice == 2.5);
    assert(narrow == 0.1f && narrow != 0.1 && part == 1.0f / 3 && part != 1.0 / 3);
    assert(single == 2.75f && most == 16777216.0f);
    assert(cut == 3 && more == 1 && any == 1 && five == 5);
    assert(unlike && !like && !less && above);
    return 0;
}
