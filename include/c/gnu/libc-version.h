/* glibc's gnu/libc-version.h */
#ifndef _GNU_LIBC_VERSION_H
#define _GNU_LIBC_VERSION_H
static inline const char *gnu_get_libc_version(void) { return "2.39"; }
#endif
