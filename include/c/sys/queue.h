/* Lists as BSD has them: of one and of two directions, with and without a tail. */
#ifndef _SYS_QUEUE_H
#define _SYS_QUEUE_H
#define SLIST_HEAD(name, type) struct name { struct type *slh_first; }
#define SLIST_HEAD_INITIALIZER(head) { 0 }
#define SLIST_ENTRY(type) struct { struct type *sle_next; }
#define SLIST_EMPTY(head) (!(head)->slh_first)
#define SLIST_FIRST(head) ((head)->slh_first)
#define SLIST_NEXT(elm, field) ((elm)->field.sle_next)
#define SLIST_INIT(head) ((void)((head)->slh_first = 0))
#define SLIST_FOREACH(var, head, field) for ((var) = SLIST_FIRST(head); (var); (var) = SLIST_NEXT(var, field))
#define SLIST_FOREACH_SAFE(var, head, field, next) for ((var) = SLIST_FIRST(head); (var) && ((next) = SLIST_NEXT(var, field), 1); (var) = (next))
#define SLIST_INSERT_HEAD(head, elm, field) do { (elm)->field.sle_next = (head)->slh_first; (head)->slh_first = (elm); } while (0)
#define SLIST_INSERT_AFTER(at, elm, field) do { (elm)->field.sle_next = (at)->field.sle_next; (at)->field.sle_next = (elm); } while (0)
#define SLIST_REMOVE_HEAD(head, field) do { (head)->slh_first = (head)->slh_first->field.sle_next; } while (0)
#define SLIST_REMOVE(head, elm, type, field) do { \
    struct type **__at = &(head)->slh_first; \
    while (*__at != (elm)) __at = &(*__at)->field.sle_next; \
    *__at = (*__at)->field.sle_next; \
  } while (0)

#define LIST_HEAD(name, type) struct name { struct type *lh_first; }
#define LIST_HEAD_INITIALIZER(head) { 0 }
#define LIST_ENTRY(type) struct { struct type *le_next; struct type **le_prev; }
#define LIST_EMPTY(head) (!(head)->lh_first)
#define LIST_FIRST(head) ((head)->lh_first)
#define LIST_NEXT(elm, field) ((elm)->field.le_next)
#define LIST_INIT(head) ((void)((head)->lh_first = 0))
#define LIST_FOREACH(var, head, field) for ((var) = LIST_FIRST(head); (var); (var) = LIST_NEXT(var, field))
#define LIST_FOREACH_SAFE(var, head, field, next) for ((var) = LIST_FIRST(head); (var) && ((next) = LIST_NEXT(var, field), 1); (var) = (next))
#define __LIST_INSERT(from, elm, field) do { \
    (elm)->field.le_next = *(from); \
    if (*(from)) (*(from))->field.le_prev = &(elm)->field.le_next; \
    *(from) = (elm); \
    (elm)->field.le_prev = (from); \
  } while (0)
#define LIST_INSERT_HEAD(head, elm, field) __LIST_INSERT(&(head)->lh_first, elm, field)
#define LIST_INSERT_AFTER(at, elm, field) __LIST_INSERT(&(at)->field.le_next, elm, field)
#define LIST_INSERT_BEFORE(at, elm, field) do { \
    (elm)->field.le_prev = (at)->field.le_prev; \
    (elm)->field.le_next = (at); \
    *(at)->field.le_prev = (elm); \
    (at)->field.le_prev = &(elm)->field.le_next; \
  } while (0)
#define LIST_REMOVE(elm, field) do { \
    if ((elm)->field.le_next) (elm)->field.le_next->field.le_prev = (elm)->field.le_prev; \
    *(elm)->field.le_prev = (elm)->field.le_next; \
  } while (0)

#define STAILQ_HEAD(name, type) struct name { struct type *stqh_first; struct type **stqh_last; }
#define STAILQ_HEAD_INITIALIZER(head) { 0, &(head).stqh_first }
#define STAILQ_ENTRY(type) struct { struct type *stqe_next; }
#define STAILQ_EMPTY(head) (!(head)->stqh_first)
#define STAILQ_FIRST(head) ((head)->stqh_first)
#define STAILQ_NEXT(elm, field) ((elm)->field.stqe_next)
#define STAILQ_INIT(head) do { (head)->stqh_first = 0; (head)->stqh_last = &(head)->stqh_first; } while (0)
#define STAILQ_FOREACH(var, head, field) for ((var) = STAILQ_FIRST(head); (var); (var) = STAILQ_NEXT(var, field))
#define STAILQ_INSERT_HEAD(head, elm, field) do { \
    (elm)->field.stqe_next = (head)->stqh_first; \
    if (!(elm)->field.stqe_next) (head)->stqh_last = &(elm)->field.stqe_next; \
    (head)->stqh_first = (elm); \
  } while (0)
#define STAILQ_INSERT_TAIL(head, elm, field) do { \
    (elm)->field.stqe_next = 0; \
    *(head)->stqh_last = (elm); \
    (head)->stqh_last = &(elm)->field.stqe_next; \
  } while (0)
#define STAILQ_REMOVE_HEAD(head, field) do { \
    (head)->stqh_first = (head)->stqh_first->field.stqe_next; \
    if (!(head)->stqh_first) (head)->stqh_last = &(head)->stqh_first; \
  } while (0)
#define SIMPLEQ_HEAD STAILQ_HEAD
#define SIMPLEQ_ENTRY STAILQ_ENTRY
#define SIMPLEQ_EMPTY STAILQ_EMPTY
#define SIMPLEQ_FIRST STAILQ_FIRST
#define SIMPLEQ_NEXT STAILQ_NEXT
#define SIMPLEQ_INIT STAILQ_INIT
#define SIMPLEQ_FOREACH STAILQ_FOREACH
#define SIMPLEQ_INSERT_TAIL STAILQ_INSERT_TAIL
#define SIMPLEQ_REMOVE_HEAD STAILQ_REMOVE_HEAD

#define TAILQ_HEAD(name, type) struct name { struct type *tqh_first; struct type **tqh_last; }
#define TAILQ_HEAD_INITIALIZER(head) { 0, &(head).tqh_first }
#define TAILQ_ENTRY(type) struct { struct type *tqe_next; struct type **tqe_prev; }
#define TAILQ_EMPTY(head) (!(head)->tqh_first)
#define TAILQ_FIRST(head) ((head)->tqh_first)
#define TAILQ_NEXT(elm, field) ((elm)->field.tqe_next)
#define TAILQ_LAST(head, name) (*((struct name *)((head)->tqh_last))->tqh_last)
#define TAILQ_PREV(elm, name, field) (*((struct name *)((elm)->field.tqe_prev))->tqh_last)
#define TAILQ_INIT(head) do { (head)->tqh_first = 0; (head)->tqh_last = &(head)->tqh_first; } while (0)
#define TAILQ_FOREACH(var, head, field) for ((var) = TAILQ_FIRST(head); (var); (var) = TAILQ_NEXT(var, field))
#define TAILQ_FOREACH_SAFE(var, head, field, next) for ((var) = TAILQ_FIRST(head); (var) && ((next) = TAILQ_NEXT(var, field), 1); (var) = (next))
#define __TAILQ_INSERT(head, from, elm, field) do { \
    (elm)->field.tqe_next = *(from); \
    if (*(from)) (*(from))->field.tqe_prev = &(elm)->field.tqe_next; \
    else (head)->tqh_last = &(elm)->field.tqe_next; \
    *(from) = (elm); \
    (elm)->field.tqe_prev = (from); \
  } while (0)
#define TAILQ_INSERT_HEAD(head, elm, field) __TAILQ_INSERT(head, &(head)->tqh_first, elm, field)
#define TAILQ_INSERT_AFTER(head, at, elm, field) __TAILQ_INSERT(head, &(at)->field.tqe_next, elm, field)
#define TAILQ_INSERT_TAIL(head, elm, field) do { \
    (elm)->field.tqe_next = 0; \
    (elm)->field.tqe_prev = (head)->tqh_last; \
    *(head)->tqh_last = (elm); \
    (head)->tqh_last = &(elm)->field.tqe_next; \
  } while (0)
#define TAILQ_INSERT_BEFORE(at, elm, field) do { \
    (elm)->field.tqe_prev = (at)->field.tqe_prev; \
    (elm)->field.tqe_next = (at); \
    *(at)->field.tqe_prev = (elm); \
    (at)->field.tqe_prev = &(elm)->field.tqe_next; \
  } while (0)
#define TAILQ_REMOVE(head, elm, field) do { \
    if ((elm)->field.tqe_next) (elm)->field.tqe_next->field.tqe_prev = (elm)->field.tqe_prev; \
    else (head)->tqh_last = (elm)->field.tqe_prev; \
    *(elm)->field.tqe_prev = (elm)->field.tqe_next; \
  } while (0)
#endif
