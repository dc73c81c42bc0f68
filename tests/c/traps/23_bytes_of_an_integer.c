// An integer as bytes is not modelled: the execution is not followed.
// verdict: inconclusive
int x;
int main(void) { char *p = (char *)&x; p[0] = 1; return x; }
