/* glibc's gnu/libc-version.h */
#ifndef _GNU_LIBC_VERSION_H
#define _GNU_LIBC_VERSION_H
const char *gnu_get_libc_version(void);
#endif
