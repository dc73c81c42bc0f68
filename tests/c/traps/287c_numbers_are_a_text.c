// verdict: safe
#include <stdio.h>
#include <string.h>
struct word { int n; char letter; };
int main(void) {
  int a[2] = {0x64636261, 0};
  struct word word = {0x61, 'x'};
  printf("%s %s\n", (char *)a, (char *)&word);
  fputs((const char *)a, stdout);
  void *text = "abc";
  puts(text);
  return strlen((char *)a) - 4;
}
