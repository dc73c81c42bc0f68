/* What all headers of the GNU C library define. */
#ifndef _FEATURES_H
#define _FEATURES_H
#define __GNU_LIBRARY__ 6
#define __GLIBC__ 2
#define __GLIBC_MINOR__ 39
#define __GLIBC_PREREQ(major, minor) (__GLIBC__ > (major) || __GLIBC__ == (major) && __GLIBC_MINOR__ >= (minor))
/* A program that asks for POSIX gets nothing else. */
#if (defined _POSIX_SOURCE || defined _POSIX_C_SOURCE) && !defined _GNU_SOURCE
#define __POSIX_ASKED
#endif
#if defined _GNU_SOURCE && !defined _XOPEN_SOURCE
#define _XOPEN_SOURCE 700
#endif
#if defined _GNU_SOURCE || !defined __STRICT_ANSI__ && !defined _POSIX_SOURCE && !defined _POSIX_C_SOURCE && !defined _XOPEN_SOURCE
#undef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE 1
#endif
#if defined _DEFAULT_SOURCE || defined _XOPEN_SOURCE
#ifndef _POSIX_SOURCE
#define _POSIX_SOURCE 1
#endif
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#endif
#define __BEGIN_DECLS
#define __END_DECLS
#define __THROW
#define __P(args) args
#define __CONCAT(x, y) x##y
#define __STRING(x) #x
#endif
