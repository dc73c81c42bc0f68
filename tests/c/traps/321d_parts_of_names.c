// verdict: safe
#include <assert.h>
#include <libgen.h>
#include <string.h>

static void check(const char *name, const char *folder, const char *last) {
    char one[16], two[16];
    strcpy(one, name);
    strcpy(two, name);
    assert(!strcmp(dirname(one), folder) && !strcmp(basename(two), last));
}

int main(void) {
    check("/usr/lib", "/usr", "lib");
    check("/usr//", "/", "usr");
    check("usr", ".", "usr");
    check("a//b/", "a", "b");
    check("//b", "//", "b");
    check("///", "/", "/");
    check("", ".", ".");
    assert(!strcmp(dirname(NULL), ".") && !strcmp(basename(NULL), "."));
    return 0;
}
