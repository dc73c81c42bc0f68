// Texts that fit into the members that they are written into. The last member may go on behind its end, and a number of bytes is meant of the
// whole object.
// verdict: safe
#include <assert.h>
#include <stdlib.h>
#include <string.h>
struct inner { char a[4], b[12]; };
struct all { char n[4]; unsigned char u[4]; struct inner in; union { char c[4], d[16]; } un; char rows[2][4]; char q[4]; int v; };
struct two { char a[4], b[4]; };
struct tail { char head[4]; char text[1]; };
int main(void) {
  static struct all s;
  struct all *p = malloc(sizeof *p);
  struct tail *t = malloc(sizeof *t + 8);
  if (!p || !t) return 0;
  strcpy(s.n, "abc"), strcpy(p->n, "abc"), strcpy((char *)s.u, "abc"), strcpy(s.in.a, "abc"), strcpy(s.in.b, "12345678901");
  strcat(s.in.a, ""), strncpy(p->n, "abcdefg", 4), strncpy(s.q, "ab", sizeof s.q), strcat(s.q, "c");
  strcpy(p->q, ""), strncat(p->q, "xyzxyz", 3), stpcpy(stpcpy(s.n, "a"), "bc"), stpncpy(s.n, "xyz", 4);
  strcpy(t->head, "abc"), strcpy(t->text, "12345678");
  struct two two;
  memset(&two, 0, sizeof two), memset(two.a, 'x', 8), memcpy(two.a, "abcdef", 6);
  assert(two.b[1] == 'f' && two.b[3] == 'x' && !strcmp(t->text, "12345678") && !strcmp(p->q, "xyz"));
  free(p), free(t);
}
