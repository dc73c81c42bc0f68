// verdict: safe
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
struct inner { double d; unsigned bits : 3; char text[3]; };
struct pair { char c; struct inner inner[2]; union { int i; float f; } u; pthread_mutex_t lock; };
struct head { int kind; long size; };
int main(void) {
  struct pair *pair = calloc(2, sizeof *pair);
  write(1, pair, 2 * sizeof *pair);
  fwrite(pair, sizeof *pair, 2, stdout);
  int *kind = malloc(sizeof *kind);
  *kind = 1;
  write(1, (struct head *)kind, sizeof *kind);
  free(kind);
  free(pair);
  return 0;
}
