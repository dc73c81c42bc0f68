// verdict: bug index
typedef unsigned char block[4][4];
static void set(block *b, int at) { (*b)[1][at] = 7; }
int main(void) {
    unsigned char bytes[16] = {0};
    set((block *)bytes, 4);
    return 0;
}
