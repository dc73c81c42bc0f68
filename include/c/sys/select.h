/* POSIX sys/select.h */
#ifndef _SYS_SELECT_H
#define _SYS_SELECT_H
#include <sys/time.h>
#include <time.h>
#define FD_SETSIZE 1024
#define FD_ZERO(set) __fd_zero(set)
#define FD_SET(fd, set) __fd_set(fd, set)
#define FD_CLR(fd, set) __fd_clr(fd, set)
#define FD_ISSET(fd, set) __fd_isset(fd, set)
void __fd_zero(fd_set *);
void __fd_set(int, fd_set *);
void __fd_clr(int, fd_set *);
int __fd_isset(int, fd_set *);
int select(int, fd_set *, fd_set *, fd_set *, struct timeval *);
#endif
