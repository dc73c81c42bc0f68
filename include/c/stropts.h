/* POSIX stropts.h */
#ifndef _STROPTS_H
#define _STROPTS_H
int ioctl(int, unsigned long, ...);
#endif
