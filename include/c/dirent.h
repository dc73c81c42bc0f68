/* POSIX dirent.h */
#ifndef _DIRENT_H
#define _DIRENT_H
#include <sys/types.h>
#include <limits.h>
typedef struct __dir DIR;
struct dirent { ino_t d_ino; off_t d_off; unsigned short d_reclen; unsigned char d_type; char d_name[256]; };
#define DT_UNKNOWN 0
#define DT_DIR 4
#define DT_REG 8
#define DT_LNK 10
int closedir(DIR *);
DIR *opendir(const char *);
struct dirent *readdir(DIR *);
void rewinddir(DIR *);
#endif
