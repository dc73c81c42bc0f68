// verdict: safe
// What is looked for may have any size, also one that is only known when the program runs.
#include <assert.h>
#include <stdlib.h>
#include <string.h>
struct pair { int key; const char *name; };
static int by_key(const void *a, const void *b) { return ((const struct pair *)a)->key - ((const struct pair *)b)->key; }
static int by_int(const void *a, const void *b) { int x = *(const int *)a, y = *(const int *)b; return (x > y) - (x < y); }
static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }
static void *find(const void *key, void *all, size_t n, size_t each, int (*f)(const void *, const void *)) { return bsearch(key, all, n, each, f); }
int main(void) {
    struct pair all[] = { {1, "one"}, {3, "three"}, {5, "five"} };
    struct pair key = { 3, 0 };
    struct pair *found = bsearch(&key, all, 3, sizeof all[0], by_key);
    assert(found == &all[1] && found->name[1] == 'h');
    int n[] = { 2, 4, 6, 8, 10 }, k = 8;
    int *at = bsearch(&k, n, sizeof n / sizeof *n, sizeof *n, by_int);
    assert(at == n + 3);
    k = 7;
    assert(!bsearch(&k, n, 5, sizeof *n, by_int));
    int *again = find(&n[1], n, 5, sizeof n[0], by_int);
    assert(again == &n[1]);
    const char *names[] = { "ab", "cd", "ef" }, *want = "ef";
    const char **w = bsearch(&want, names, 3, sizeof *names, by_name);
    assert(w == names + 2);
}
