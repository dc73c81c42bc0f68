// verdict: bug deref
int main(void) { *"abc" = 'x'; }
