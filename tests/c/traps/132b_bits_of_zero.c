// How many zeros stand before the first one: there is none.
// verdict: inconclusive
int main(int argc, char **argv) { return __builtin_clz(argc - 1); }
