/* POSIX langinfo.h */
#ifndef _LANGINFO_H
#define _LANGINFO_H
typedef int nl_item;
#define CODESET 14
#define RADIXCHAR 0x10000
#define THOUSEP 0x10001
static inline char *nl_langinfo(nl_item __what) {
  return (char *)(__what == CODESET ? "ANSI_X3.4-1968" : __what == RADIXCHAR ? "." : "");
}
#endif
