// An integer as bytes is not modelled: refused, and not half verified.
// verdict: refused
int x;
int main(void) { char *p = (char *)&x; p[0] = 1; return x; }
