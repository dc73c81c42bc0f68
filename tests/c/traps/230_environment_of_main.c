// What the environment holds is not known: that it is no null pointer is.
// verdict: refused
int main(int argc, char **argv, char **environment) { return environment[0] != 0; }
