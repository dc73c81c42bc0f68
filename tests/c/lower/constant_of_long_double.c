// As a `double`, the constant would have another value.
static int same = 0.1L == 0.1;

int main(void) {
    return same;
}
