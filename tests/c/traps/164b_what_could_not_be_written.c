// verdict: bug index
#include <unistd.h>
int main(void) {
  char text[4] = "abc", seen[4] = {0};
  seen[write(1, text, 3)] = 1;
  return 0;
}
