/* Linux sys/vfs.h */
#ifndef _SYS_VFS_H
#define _SYS_VFS_H
struct statfs { long f_type, f_bsize; unsigned long f_blocks, f_bfree, f_bavail, f_files, f_ffree; struct { int __val[2]; } f_fsid; long f_namelen, f_frsize, f_flags; };
int statfs(const char *, struct statfs *);
int fstatfs(int, struct statfs *);
#endif
