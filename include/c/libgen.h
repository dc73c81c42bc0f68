/* POSIX libgen.h */
#ifndef _LIBGEN_H
#define _LIBGEN_H
char *basename(char *);
char *dirname(char *);
#endif
