/* POSIX sys/types.h */
#ifndef _SYS_TYPES_H
#define _SYS_TYPES_H
#include <features.h>
#include <endian.h>
#include <stddef.h>
#include <stdint.h>
typedef __PTRDIFF_TYPE__ ssize_t;
typedef long off_t;
typedef int pid_t;
typedef unsigned int uid_t, gid_t, mode_t, id_t;
typedef unsigned long dev_t, ino_t, nlink_t;
typedef long blksize_t, blkcnt_t, time_t, suseconds_t, clock_t;
typedef unsigned int useconds_t;
typedef int clockid_t, key_t;
struct timeval { time_t tv_sec; suseconds_t tv_usec; };
typedef struct { unsigned long __bits[128 / sizeof(long)]; } fd_set;
typedef void *timer_t;
typedef unsigned char u_char, u_int8_t;
typedef unsigned short u_short, ushort, u_int16_t;
typedef unsigned int u_int, uint, u_int32_t;
typedef unsigned long u_long, ulong;
typedef uint64_t u_int64_t;
typedef char *caddr_t;
#include <pthread_types.h>
#endif
