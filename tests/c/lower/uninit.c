#include <assert.h>
int main(void) { for (int i = 0; i < 2; i++) { _Bool b; if (i == 0) b = 0; assert(!b); } return 0; }
