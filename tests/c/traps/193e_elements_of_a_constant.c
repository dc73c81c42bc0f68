// verdict: bug deref
const int a[2] = {1, 2};
int main(void) {
    *(unsigned *)(a + 1) = 3;
    return 0;
}
