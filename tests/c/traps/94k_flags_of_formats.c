// The texts are those that gcc's library makes.
// verdict: safe
#include <assert.h>
#include <stdio.h>
#include <string.h>
int main(void) {
  char b[64];
  int wide = -6, digits = 3;
  sprintf(b, "[%+d][% d][%#x][%#o][%.3d][%6.3d][%-6.2d]", 5, 5, 255, 8, 7, -7, 3);
  assert(!strcmp(b, "[+5][ 5][0xff][010][007][  -007][03    ]"));
  sprintf(b, "[%*d][%-*d][%.*d][%.*s][%.0d]", 4, 7, 3, 7, digits, 7, 2, "long", 0);
  assert(!strcmp(b, "[   7][7  ][007][lo][]"));
  sprintf(b, "[%*d][%#.0o][%#x][%+05d][% 05d]", wide, 7, 0, 0, 42, 42);
  assert(!strcmp(b, "[7     ][0][0][+0042][ 0042]"));
  sprintf(b, "[%#X][%+u][%.*d][%08.3d]", 171, 3u, -1, 9, 12);
  assert(!strcmp(b, "[0XAB][3][9][     012]"));
  return 0;
}
