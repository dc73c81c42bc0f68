// verdict: bug deref
#include <libgen.h>

// `dirname` writes to the name.
int main(void) { return dirname("/usr/lib")[0]; }
