/* POSIX search.h */
#ifndef _SEARCH_H
#define _SEARCH_H
#include <__system.h>
#include <stddef.h>
void *malloc(size_t);
void free(void *);
void *memcpy(void *, const void *, size_t);
typedef int (*__compar_fn_t)(const void *, const void *);
/* A table of names: its entries, and how many it has room for. */
typedef struct entry { char *key; void *data; } ENTRY;
typedef enum { FIND, ENTER } ACTION;
struct __entry_in_table { ENTRY __entry; struct __entry_in_table *__next; };
struct __table { struct __entry_in_table *__first; };
struct hsearch_data { struct __table *table; unsigned int size, filled; };
static inline int hcreate_r(size_t __count, struct hsearch_data *__of) {
  if (__of->table) return 0;
  if (__count >= 0xffffffff) {
    __library_failed(12);
    return 0;
  }
  /* The next odd prime. */
  size_t __size = __count < 3 ? 3 : __count | 1, __by = 3;
  while (__by * __by <= __size) {
    _Bool __divides = __size % __by == 0;
    if (__divides) __size += 2;
    __by = __divides ? 3 : __by + 2;
  }
  struct __table *__new = malloc(sizeof(struct __table));
  __of->table = __new;
  if (!__new) return 0;
  __new->__first = 0;
  __of->size = __size;
  __of->filled = 0;
  return 1;
}
static inline void hdestroy_r(struct hsearch_data *__of) {
  struct __entry_in_table *__next = __of->table ? __of->table->__first : 0;
  while (__next) {
    struct __entry_in_table *__this = __next;
    __next = __this->__next;
    free(__this);
  }
  free(__of->table);
  __of->table = 0;
}
static inline int hsearch_r(ENTRY __wanted, ACTION __what, ENTRY **__found, struct hsearch_data *__of) {
  *__found = 0;
  for (struct __entry_in_table *__at = __of->table->__first; __at; __at = __at->__next) {
    size_t __n = 0;
    while (__at->__entry.key[__n] && __at->__entry.key[__n] == __wanted.key[__n]) __n++;
    if (__at->__entry.key[__n] != __wanted.key[__n]) continue;
    *__found = &__at->__entry;
    return 1;
  }
  struct __entry_in_table *__new = 0;
  if (__what == ENTER && __of->filled < __of->size) __new = malloc(sizeof(struct __entry_in_table));
  if (!__new) {
    __library_failed(__what == ENTER ? 12 : 3);
    return 0;
  }
  __new->__entry = __wanted;
  __new->__next = __of->table->__first;
  __of->table->__first = __new;
  __of->filled++;
  *__found = &__new->__entry;
  return 1;
}
struct hsearch_data __table_of_program;
static inline int hcreate(size_t __count) { return hcreate_r(__count, &__table_of_program); }
static inline void hdestroy(void) { hdestroy_r(&__table_of_program); }
static inline ENTRY *hsearch(ENTRY __wanted, ACTION __what) {
  ENTRY *__found;
  hsearch_r(__wanted, __what, &__found, &__table_of_program);
  return __found;
}
/* Trees as glibc makes them: with red and black nodes, so that a walk comes to them in its order. */
typedef enum { preorder, postorder, endorder, leaf } VISIT;
typedef void (*__action_fn_t)(const void *, VISIT, int);
struct __node { const void *__key; struct __node *__next[2]; _Bool __red; };
static inline _Bool __is_red(const struct __node *__n) { return __n && __n->__red; }
/* Divides a node below two red ones, or that was added. */
static inline void __split_node(struct __node **__at, struct __node **__above, struct __node **__top, int __side, int __side_above, _Bool __added) {
  struct __node *__n = *__at;
  if (!__added && !(__is_red(__n->__next[0]) && __is_red(__n->__next[1]))) return;
  __n->__red = 1;
  for (int __k = 0; __k < 2; __k++)
    if (__n->__next[__k]) __n->__next[__k]->__red = 0;
  if (!__above || !(*__above)->__red) return;
  struct __node *__parent = *__above, *__old = *__top;
  __old->__red = 1;
  if (__side != __side_above) {
    __parent->__red = 1;
    __n->__red = 0;
    __parent->__next[__side] = __n->__next[!__side];
    __n->__next[!__side] = __parent;
    __old->__next[!__side] = __n->__next[__side];
    __n->__next[__side] = __old;
    *__top = __n;
  } else {
    __parent->__red = 0;
    __old->__next[__side] = __parent->__next[!__side];
    __parent->__next[!__side] = __old;
    *__top = __parent;
  }
}
static inline void *tsearch(const void *__key, void **__tree, __compar_fn_t __compare) {
  struct __node **__at = (struct __node **)__tree, **__above = 0, **__top = 0, **__place = __at;
  int __side = 0, __side_above = 0, __side_top = 0;
  if (!__at) return 0;
  if (*__at) (*__at)->__red = 0;
  while (*__place) {
    struct __node *__n = *__at;
    int __order = __compare(__key, __n->__key);
    if (!__order) return __n;
    __split_node(__at, __above, __top, __side_above, __side_top, 0);
    __side = __order > 0;
    __place = &__n->__next[__side];
    if (!*__place) break;
    __top = __above;
    __above = __at;
    __at = __place;
    __side_top = __side_above;
    __side_above = __side;
  }
  struct __node *__new = malloc(sizeof(struct __node));
  if (!__new) return 0;
  *__new = (struct __node){__key, {0, 0}, 1};
  *__place = __new;
  if (__place != __at) __split_node(__place, __at, __above, __side, __side_above, 1);
  return __new;
}
static inline void *tfind(const void *__key, void *const *__tree, __compar_fn_t __compare) {
  struct __node *__n = __tree ? *__tree : 0;
  while (__n) {
    int __order = __compare(__key, __n->__key);
    if (!__order) return __n;
    __n = __n->__next[__order > 0];
  }
  return 0;
}
/* Below the last of these places, one side has lost a black node, which `__n` had above it. */
static inline void __mend_tree(struct __node ***__places, int __count, struct __node *__n) {
  while (__count > 0 && !__is_red(__n)) {
    struct __node **__at = __places[__count - 1], *__parent = *__at;
    int __side = __n != __parent->__next[0];
    struct __node *__other = __parent->__next[!__side];
    if (__other->__red) {
      __other->__red = 0;
      __parent->__red = 1;
      __parent->__next[!__side] = __other->__next[__side];
      __other->__next[__side] = __parent;
      *__at = __other;
      __at = &__other->__next[__side];
      __places[__count++] = __at;
      __other = __parent->__next[!__side];
    }
    if (!__is_red(__other->__next[0]) && !__is_red(__other->__next[1])) {
      __other->__red = 1;
      __n = __parent;
      __count--;
      continue;
    }
    if (!__is_red(__other->__next[!__side])) {
      struct __node *__new = __other->__next[__side];
      __new->__red = __parent->__red;
      __parent->__next[!__side] = __new->__next[__side];
      __other->__next[__side] = __new->__next[!__side];
      __new->__next[!__side] = __other;
      __new->__next[__side] = __parent;
      *__at = __new;
    } else {
      __other->__red = __parent->__red;
      __other->__next[!__side]->__red = 0;
      __parent->__next[!__side] = __other->__next[__side];
      __other->__next[__side] = __parent;
      *__at = __other;
    }
    __parent->__red = 0;
    return;
  }
  if (__n) __n->__red = 0;
}
/* Gives the node above the one that had the key. */
static inline void *tdelete(const void *__key, void **__tree, __compar_fn_t __compare) {
  struct __node **__at = (struct __node **)__tree, **__places[100], *__above = __at ? *__at : 0;
  int __count = 0, __order;
  if (!__above) return 0;
  while ((__order = __compare(__key, (*__at)->__key)) != 0) {
    __places[__count++] = __at;
    __above = *__at;
    __at = &__above->__next[__order > 0];
    if (!*__at) return 0;
  }
  struct __node *__old = *__at, *__gone = __old;
  if (__old->__next[0] && __old->__next[1]) {
    struct __node **__place = __at;
    __at = &__old->__next[1];
    __places[__count++] = __place;
    while ((*__at)->__next[0]) {
      __places[__count++] = __at;
      __at = &(*__at)->__next[0];
    }
    __gone = *__at;
  }
  struct __node *__rest = __gone->__next[0] ? __gone->__next[0] : __gone->__next[1];
  *__at = __rest;
  if (__gone != __old) __old->__key = __gone->__key;
  if (!__gone->__red) __mend_tree(__places, __count, __rest);
  free(__gone);
  return __above;
}
static inline void __walk_from(const struct __node *__n, __action_fn_t __action, int __depth) {
  _Bool __is_leaf = !__n->__next[0] && !__n->__next[1];
  __action(__n, __is_leaf ? leaf : preorder, __depth);
  if (__is_leaf) return;
  if (__n->__next[0]) __walk_from(__n->__next[0], __action, __depth + 1);
  __action(__n, postorder, __depth);
  if (__n->__next[1]) __walk_from(__n->__next[1], __action, __depth + 1);
  __action(__n, endorder, __depth);
}
static inline void twalk(const void *__tree, __action_fn_t __action) {
  if (__tree && __action) __walk_from(__tree, __action, 0);
}
static inline void tdestroy(void *__tree, void (*__frees)(void *)) {
  struct __node *__n = __tree;
  if (!__n) return;
  tdestroy(__n->__next[0], __frees);
  tdestroy(__n->__next[1], __frees);
  __frees((void *)__n->__key);
  free(__n);
}
static inline void *lfind(const void *__key, const void *__base, size_t *__count, size_t __size, __compar_fn_t __compare) {
  for (size_t __n = 0; __n < *__count; __n++) {
    char *__at = (char *)__base + __n * __size;
    if (!__compare(__key, __at)) return __at;
  }
  return 0;
}
static inline void *lsearch(const void *__key, void *__base, size_t *__count, size_t __size, __compar_fn_t __compare) {
  void *__found = lfind(__key, __base, __count, __size, __compare);
  if (__found) return __found;
  __found = memcpy((char *)__base + *__count * __size, __key, __size);
  ++*__count;
  return __found;
}
#endif
