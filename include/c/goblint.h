/* For programs that were written for the analyser Goblint: what they claim is checked. */
#ifndef _GOBLINT_H
#define _GOBLINT_H
#include <assert.h>
void __goblint_assume(int);
void __goblint_unknown(void *);
#define __goblint_check(condition) assert(condition)
#define __goblint_assert(condition) assert(condition)
#define __goblint_assume_join(thread) ((void)(thread))
#define __goblint_globalize(pointer) ((void)(pointer))
#define __goblint_split_begin(value) ((void)(value))
#define __goblint_split_end(value) ((void)(value))
#define __goblint_relation_track__
#endif
