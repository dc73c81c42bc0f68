// verdict: bug deref
#include <stdio.h>
int main(void) { printf("%n", (int *)0); }
