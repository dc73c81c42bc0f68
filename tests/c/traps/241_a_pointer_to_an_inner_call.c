// verdict: bug deref
// The inner call, to whose variable the pointer leads, has returned. The outer one goes on.
static int *last;
static int down(int n)
{
    int own = n;
    if (n == 0) {
        last = &own;
        return 0;
    }
    down(n - 1);
    return *last;
}
int main(void)
{
    return down(1);
}
