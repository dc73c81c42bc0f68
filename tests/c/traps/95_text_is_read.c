// verdict: safe
#include <assert.h>
#include <stdio.h>
#include <string.h>
struct command { char name[8]; int number; };
int main(void) {
  struct command c;
  unsigned hex;
  long wide;
  char rest[16], one;
  assert(sscanf("add -5", "%7s %d", c.name, &c.number) == 2);
  assert(!strcmp(c.name, "add") && c.number == -5);
  assert(sscanf("0xff:7", "%x:%ld", &hex, &wide) == 2 && hex == 255 && wide == 7);
  assert(sscanf("key = some value", "%[a-z] = %[^\n]", c.name, rest) == 2);
  assert(!strcmp(c.name, "key") && !strcmp(rest, "some value"));
  assert(sscanf("12x", "%1d%d%c", &c.number, (int *)&hex, &one) == 3);
  assert(c.number == 1 && hex == 2 && one == 'x');
  assert(sscanf("", "%d", &c.number) == EOF);
  assert(sscanf("x", "%d", &c.number) == 0 && c.number == 1);
  return 0;
}
