// `abort` ends the program and is no failed assertion.
// verdict: safe
#include <stdlib.h>
int main(void) { abort(); }
