/* Linux sys/sysinfo.h */
#ifndef _SYS_SYSINFO_H
#define _SYS_SYSINFO_H
struct sysinfo { long uptime; unsigned long loads[3], totalram, freeram, sharedram, bufferram, totalswap, freeswap; unsigned short procs; unsigned int mem_unit; };
#include <__system.h>
unsigned long __VERIFIER_nondet_library_ulong(void);
static inline int sysinfo(struct sysinfo *__to) {
  __to->uptime = __VERIFIER_nondet_library_ulong() >> 1;
  for (int __n = 0; __n < 3; __n++) __to->loads[__n] = __VERIFIER_nondet_library_ulong();
  __to->totalram = __VERIFIER_nondet_library_ulong();
  __to->freeram = __to->totalram & __VERIFIER_nondet_library_ulong();
  __to->sharedram = __to->totalram & __VERIFIER_nondet_library_ulong();
  __to->bufferram = __to->totalram & __VERIFIER_nondet_library_ulong();
  __to->totalswap = __VERIFIER_nondet_library_ulong();
  __to->freeswap = __to->totalswap & __VERIFIER_nondet_library_ulong();
  __to->procs = __VERIFIER_nondet_library_ulong();
  __to->mem_unit = 1;
  return 0;
}
static inline int get_nprocs(void) {
  int __all = __VERIFIER_nondet_library_int();
  return __all < 1 ? 1 : __all;
}
static inline int get_nprocs_conf(void) { return get_nprocs(); }
#endif
