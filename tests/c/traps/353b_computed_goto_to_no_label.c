// verdict: bug deref
int main(void) {
    static void *const all[] = { &&first, &&last };
    int other = 0;
    void *p = all[other];
    goto *p;
first:
    p = &other;
    goto *p;
last:
    return 0;
}
