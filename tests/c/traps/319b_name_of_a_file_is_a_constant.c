// verdict: bug deref
#include <stdlib.h>

// `mkstemp` writes the name into its argument.
int main(void) { return mkstemp("/tmp/fileXXXXXX") < 0; }
