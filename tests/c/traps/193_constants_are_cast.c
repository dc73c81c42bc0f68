// verdict: bug deref
const int g = 3;
int main(void) {
    *(int *)&g = 4;
    return 0;
}
