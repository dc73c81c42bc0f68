// verdict: refused
struct open { int n; int z[]; };
static struct open o = {1, {2, 3}};
int main(void) { return o.n; }
