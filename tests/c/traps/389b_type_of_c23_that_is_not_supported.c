// verdict: refused
_BitInt(7) small;
int main(void) { return small; }
