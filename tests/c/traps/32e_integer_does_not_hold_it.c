// verdict: inconclusive
int main(int argc, char **argv) { return (unsigned char)(argc * 256.0) + (int)(argc * 1e10); }
