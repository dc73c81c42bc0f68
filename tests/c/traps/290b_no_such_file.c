// What is asked about a file may fail, and then nothing is said of it.
// verdict: bug assertion
#include <assert.h>
#include <sys/stat.h>
int main(void) {
  struct stat what;
  what.st_size = 7;
  stat("x", &what);
  assert(what.st_size != 7);
  return 0;
}
