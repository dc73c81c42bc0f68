// The last bytes of the number lie behind the array.
// verdict: bug deref
#include <string.h>
#include <assert.h>
int main(void) { char b[6]; memset(b, 0, 6); int *p = (int *)(b + 4); return *p; }
