// verdict: bug assertion
// options: --property unreach-call
#include <assert.h>
#include <err.h>
#include <errno.h>

int main(int argc, char **argv) {
  warn("%s is %d", "it", 1);
  warnx("nothing");
  if (argc > 1) err(EDQUOT, "with arguments");
  assert(argc > 1);
  errx(1, "the end");
  assert(0);
}
