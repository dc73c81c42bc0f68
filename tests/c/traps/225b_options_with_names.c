// verdict: safe
#include <assert.h>
#include <getopt.h>
#include <string.h>

static int flag;
static const struct option all[] = {
  {"alpha", no_argument, 0, 1000}, {"beta", required_argument, 0, 'b'}, {"gamma", optional_argument, &flag, 9},
  {"nope", 0, 0, 5}, {"node", required_argument, 0, 6}, {0, 0, 0, 0},
};

int main(void) {
  char *argv[] = {"program", "--al", "--beta=3", "--beta", "--gamma", "--no", "-a", "--nope", 0};
  int argc = 8;
  int at = -1;
  assert(getopt_long(argc, argv, "+:a", all, &at) == 1000 && at == 0 && !optarg);
  assert(getopt_long(argc, argv, "+:a", all, &at) == 'b' && at == 1 && !strcmp(optarg, "3"));
  assert(getopt_long(argc, argv, "+:a", all, &at) == 'b' && !strcmp(optarg, "--gamma"));
  assert(getopt_long(argc, argv, "+:a", all, &at) == '?' && optopt == 0);
  assert(getopt_long(argc, argv, "+:a", all, &at) == 'a');
  assert(getopt_long(argc, argv, "+:a", all, &at) == 5 && at == 3);
  assert(getopt_long(argc, argv, "+:a", all, &at) == -1 && optind == argc);
}
