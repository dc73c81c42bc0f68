// verdict: bug deref
#include <stdio.h>
int main(void) { puts((char *)0); }
