// verdict: safe
#include <assert.h>
static const char *names[2] = {"js", "ruby"};
static int find(const char *s) {
    for (int i = 0; i < 2; i++)
        if (names[i] == s) return i;
    return -1;
}
int main(void) {
    assert(find("ruby") == 1 && names[0] != names[1]);
    assert((void *)"js" != (void *)L"js");
    return 0;
}
