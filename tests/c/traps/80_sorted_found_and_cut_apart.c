// verdict: safe
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct item { int key; char name[4]; };
static int by_key(const void *a, const void *b) {
  const struct item *l = a, *r = b;
  return l->key < r->key ? -1 : l->key > r->key;
}
static int by_value(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int main(void) {
  int v[4] = {3, 1, 2, 0};
  qsort(v, 4, sizeof v[0], by_value);
  for (int i = 0; i < 4; i++) assert(v[i] == i);
  int two = 2;
  int *found = bsearch(&two, v, 4, sizeof *v, by_value);
  assert(found == &v[2]);
  two = 7;
  assert(!bsearch(&two, v, 4, sizeof *v, by_value));
  struct item items[3] = {{5, "e"}, {1, "a"}, {2, "b"}};
  qsort(items, 3, sizeof(struct item), by_key);
  assert(items[0].name[0] == 'a' && items[2].key == 5);
  char text[] = "one,two;;three";
  char *rest, *word = strtok_r(text, ",;", &rest);
  assert(strcmp(word, "one") == 0);
  word = strtok_r(NULL, ",;", &rest);
  assert(strcmp(word, "two") == 0);
  word = strtok_r(NULL, ",;", &rest);
  assert(strcmp(word, "three") == 0);
  assert(!strtok_r(NULL, ",;", &rest));
  assert(strstr("hello world", "o w") && !strstr("aab", "ab ") && *strstr("aab", "ab") == 'a');
  assert(strcasecmp("HeLLo", "hEllO") == 0 && strncasecmp("abX", "ABy", 2) == 0);
  assert(strspn("aabc", "ab") == 3 && strcspn("aabc", "c") == 3 && *strpbrk("xyz", "zy") == 'y');
  char a[3] = {1, 2, 3}, b[3] = {1, 2, 4};
  assert(memcmp(a, b, 2) == 0 && memcmp(a, b, 3) < 0 && memchr(b, 4, 3) == b + 2);
  div_t q = div(17, 5);
  assert(q.quot == 3 && q.rem == 2);
  return 0;
}
