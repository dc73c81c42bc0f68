// A union of which several members are used is bytes seen in several ways, the lowest first.
// verdict: safe
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
union word { int whole; unsigned bare; signed char parts[4]; short half[2]; _Bool flag; };
struct value { int tag; union { int number; long large; char *text; struct { short x, y; } at; }; };
union word first = { 0x01020304 }, second = { .half = { -1, 7 } };
struct value table[2] = { { 1, { .text = "hello" } }, { 2, { .at = { 3, -4 } } } };
static struct value made(int tag, long large) {
  struct value v = { .tag = tag };
  v.large = large;
  return v;
}
int main(void) {
  assert(first.parts[0] == 4 && first.half[1] == 0x0102);
  assert(second.whole == 0x7ffff && second.parts[1] == -1);
  for (int i = 0; i < 4; i++) first.parts[i] = -i;
  assert(first.bare == 0xfdfeff00u);
  first.flag = 8;
  assert(first.whole == (int)0xfdfeff01u && first.half[0] == (short)0xff01);
  table[0] = table[1];
  assert(table[0].at.y == -4);
  struct value *p = malloc(sizeof *p);
  *p = made(3, 0x500000007L);
  int *number = &p->number;
  short *y = &p->at.y;
  *y = 1;
  assert(*number == 0x10007 && p->large == 0x500010007L);
  *number += 1;
  assert(p->at.x == 8 && p->at.y == 1);
  memset(p, 0, sizeof *p);
  assert(p->large == 0);
  free(p);
}
