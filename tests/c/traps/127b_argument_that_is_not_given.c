// verdict: bug deref
#include <assert.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) { return strcmp(argv[1], "-h") == 0; }
