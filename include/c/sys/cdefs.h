/* What C libraries define for their headers. */
#ifndef _SYS_CDEFS_H
#define _SYS_CDEFS_H
#include <features.h>
#define __unused __attribute__((__unused__))
#define __used __attribute__((__used__))
#define __packed __attribute__((__packed__))
#define __aligned(x) __attribute__((__aligned__(x)))
#define __predict_true(e) __builtin_expect((e) != 0, 1)
#define __predict_false(e) __builtin_expect((e) != 0, 0)
#define __containerof(x, s, m) ((s *)((char *)(x) - __builtin_offsetof(s, m)))
#endif
