// The number of bits is looked at as it is, not as one of the shifted type.
// verdict: bug shift
int main(void) { return 1 << 4294967296L; }
