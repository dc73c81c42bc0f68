// A character that is read is `EOF` or one from 0 to 255.
// verdict: safe
#include <assert.h>
#include <stdio.h>
int main(void) {
  int count[256] = {0}, c;
  if ((c = getchar()) != EOF) count[c]++;
  if ((c = fgetc(stdin)) != EOF) count[c]++;
  if ((c = getc(stdin)) != EOF) assert(c >= 0 && c < 256);
  unsigned char bytes[3] = {1, 2, 3};
  size_t n = fread(bytes, 1, 2, stdin);
  assert(n <= 2 && bytes[2] == 3);
  return 0;
}
