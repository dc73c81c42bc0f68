/* The functions of BSD that complain and, some of them, exit */
#ifndef _ERR_H
#define _ERR_H
void err(int, const char *, ...);
void errx(int, const char *, ...);
void warn(const char *, ...);
void warnx(const char *, ...);
#endif
