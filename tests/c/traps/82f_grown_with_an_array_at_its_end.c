// A buffer with its text behind it grows.
// verdict: safe
#include <assert.h>
#include <stdlib.h>
#include <string.h>
struct buffer { size_t length, room; char data[]; };
static struct buffer *append(struct buffer *b, const char *s) {
  size_t n = strlen(s);
  if (b->length + n + 1 > b->room) {
    b->room = (b->length + n + 1) * 2;
    b = realloc(b, sizeof *b + b->room);
  }
  memcpy(b->data + b->length, s, n + 1);
  b->length += n;
  return b;
}
int main(void) {
  struct buffer *b = calloc(1, sizeof *b);
  b = append(b, "abc");
  b = append(b, "defgh");
  assert(b->length == 8 && !strcmp(b->data, "abcdefgh"));
  free(b);
  return 0;
}
