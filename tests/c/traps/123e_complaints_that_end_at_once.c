// verdict: safe
#include <assert.h>
#include <err.h>

int main(void) {
  errx(1, "the end of %s", "all");
  assert(0);
}
