// Options stand before all other arguments, which are moved for that.
// verdict: safe
#include <assert.h>
#include <string.h>
#include <unistd.h>

int main(void) {
  char *argv[] = {"program", "x", "-ab", "y", "-ofile", "-o", "z", "-q", "-c", "--", "-a", 0};
  int argc = 11;
  assert(optind == 1 && opterr == 1 && !optarg);
  opterr = 0;
  assert(getopt(argc, argv, "abo:c::") == 'a' && optind == 2);
  assert(getopt(argc, argv, "abo:c::") == 'b' && optind == 3);
  assert(getopt(argc, argv, "abo:c::") == 'o' && !strcmp(optarg, "file"));
  assert(getopt(argc, argv, "abo:c::") == 'o' && !strcmp(optarg, "z"));
  assert(getopt(argc, argv, "abo:c::") == '?' && optopt == 'q');
  assert(getopt(argc, argv, "abo:c::") == 'c' && !optarg);
  assert(getopt(argc, argv, "abo:c::") == -1 && optind == 8);
  assert(!strcmp(argv[8], "x") && !strcmp(argv[9], "y") && !strcmp(argv[10], "-a"));
}
