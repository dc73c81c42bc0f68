// Each step reads open bytes and looks for a letter in them. Executions at random find what many steps lead to.
// verdict: bug index
#include <pthread.h>
#include <string.h>
#include <unistd.h>
struct client { int fd; char buf[8]; size_t n; };
static struct client clients[3];
static int count;
static int feed(struct client *c) {
  ssize_t r = read(c->fd, c->buf + c->n, sizeof c->buf - c->n);
  if (r < 0) return -1;
  c->n += (size_t)r;
  char *end = memchr(c->buf, '\n', c->n);
  if (!end) return c->n == sizeof c->buf ? -1 : 0;
  size_t length = (size_t)(end - c->buf) + 1;
  memmove(c->buf, c->buf + length, c->n - length);
  c->n -= length;
  return 0;
}
static void *serve(void *u) {
  for (int round = 0; round < 6; round++) {
    clients[count].fd = 0;
    clients[count++].n = 0;
    for (int i = count - 1; i >= 0; i--)
      if (feed(&clients[i]) < 0) clients[i] = clients[--count];
  }
  return u;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, serve, 0);
  pthread_join(t, 0);
}
