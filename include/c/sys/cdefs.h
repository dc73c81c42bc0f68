/* What C libraries define for their headers. */
#ifndef _SYS_CDEFS_H
#define _SYS_CDEFS_H
#ifdef __cplusplus
#define __BEGIN_DECLS extern "C" {
#define __END_DECLS }
#else
#define __BEGIN_DECLS
#define __END_DECLS
#endif
#define __THROW
#define __P(args) args
#define __CONCAT(x, y) x##y
#define __STRING(x) #x
#define __unused __attribute__((__unused__))
#define __used __attribute__((__used__))
#define __packed __attribute__((__packed__))
#define __aligned(x) __attribute__((__aligned__(x)))
#define __predict_true(e) __builtin_expect((e) != 0, 1)
#define __predict_false(e) __builtin_expect((e) != 0, 0)
#define __containerof(x, s, m) ((s *)((char *)(x) - __builtin_offsetof(s, m)))
#endif
