/* Linux sys/sysinfo.h */
#ifndef _SYS_SYSINFO_H
#define _SYS_SYSINFO_H
struct sysinfo { long uptime; unsigned long loads[3], totalram, freeram, sharedram, bufferram, totalswap, freeswap; unsigned short procs; unsigned int mem_unit; };
int sysinfo(struct sysinfo *);
int __VERIFIER_nondet_library_int(void);
static inline int get_nprocs(void) {
  int __all = __VERIFIER_nondet_library_int();
  return __all < 1 ? 1 : __all;
}
static inline int get_nprocs_conf(void) { return get_nprocs(); }
#endif
