// verdict: safe
#include <stdlib.h>
int main(int argc, char **argv) {
  if (argc > 1) __builtin_unreachable();
  if (argc == 1) __builtin_trap();
  return *(int *)0;
}
