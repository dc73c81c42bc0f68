// "No such file or directory" needs 26 characters.
// verdict: bug deref
#include <errno.h>
#include <string.h>
int main(void) {
  char text[25];
  strcpy(text, strerror(ENOENT));
  return 0;
}
