/* Numbers of devices, as Linux has them */
#ifndef _SYS_SYSMACROS_H
#define _SYS_SYSMACROS_H
#include <sys/types.h>
static inline unsigned int gnu_dev_major(unsigned long long __device) { return __device >> 8 & 0xfff | __device >> 32 & 0xfffff000; }
static inline unsigned int gnu_dev_minor(unsigned long long __device) { return __device & 0xff | __device >> 12 & 0xffffff00; }
static inline unsigned long long gnu_dev_makedev(unsigned int __major, unsigned int __minor) {
  unsigned long long __high = __major & 0xfffff000, __low = __minor & 0xffffff00;
  return __high << 32 | __low << 12 | (__major & 0xfff) << 8 | __minor & 0xff;
}
#define major(device) gnu_dev_major(device)
#define minor(device) gnu_dev_minor(device)
#define makedev(major, minor) gnu_dev_makedev(major, minor)
#endif
