// verdict: safe
// options: --check memleak
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <search.h>
#include <string.h>

// A walk comes to the nodes as glibc has put them.
static int compare(const void *l, const void *r) { return *(const int *)l - *(const int *)r; }

static char walk[64];
static int at;
static void see(const void *node, VISIT visit, int depth) {
    walk[at++] = "<-> "[visit];
    walk[at++] = '0' + **(int **)node;
    walk[at++] = '0' + depth;
}

int main(void) {
    int keys[6] = {1, 2, 3, 4, 5, 6}, other = 4;
    void *tree = NULL;
    for (int n = 0; n < 5; n++) assert(**(int **)tsearch(&keys[n], &tree, compare) == n + 1);
    assert(*(int **)tsearch(&other, &tree, compare) == &keys[3]);
    assert(!tfind(&keys[5], &tree, compare) && !tdelete(&keys[5], &tree, compare));
    twalk(tree, see);
    assert(!strcmp(walk, "<20 11-20<41 32-41 52>41>20"));
    assert(**(int **)tdelete(&keys[0], &tree, compare) == 2);
    for (int n = 1; n < 5; n++) assert(tdelete(&keys[n], &tree, compare));
    assert(!tree);
    assert(hcreate(3));
    ENTRY wanted = {"one", keys}, *found = hsearch(wanted, FIND);
    assert(!found && errno == ESRCH);
    found = hsearch(wanted, ENTER);
    assert(found && found->data == keys && hsearch((ENTRY){"one"}, FIND) == found);
    assert(hsearch((ENTRY){"two"}, ENTER) && hsearch((ENTRY){"three"}, ENTER) && !hsearch((ENTRY){"four"}, ENTER));
    hdestroy();
    size_t count = 2;
    assert(lfind(&keys[1], keys, &count, sizeof(int), compare) == &keys[1]);
    assert(!lfind(&keys[2], keys, &count, sizeof(int), compare));
    assert(lsearch(&other, keys, &count, sizeof(int), compare) == &keys[2] && count == 3 && keys[2] == 4);
    return 0;
}
