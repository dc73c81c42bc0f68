#ifndef _SYS_FILE_H
#define _SYS_FILE_H
#include <fcntl.h>
#include <__system.h>
#define LOCK_SH 1
#define LOCK_EX 2
#define LOCK_NB 4
#define LOCK_UN 8
/* Other processes may hold it. */
static inline int flock(int __file, int __how) { return __is_done_with(__file); }
#endif
