// verdict: bug deref
#include <unistd.h>
int main(void) {
  char b[3] = {0};
  write(1, b, 3);
  write(1, b, 5);
}
