// verdict: bug deref
struct pair { const int m; int n; };
int main(void) {
    const struct pair s = {1, 2};
    *(int *)&s.n = 3;
    return 0;
}
