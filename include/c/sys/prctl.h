/* Linux sys/prctl.h: a thread is given a name, and nothing comes of it. */
#ifndef _SYS_PRCTL_H
#define _SYS_PRCTL_H
#define PR_SET_PDEATHSIG 1
#define PR_SET_NAME 15
#define PR_GET_NAME 16
#define PR_SET_CHILD_SUBREAPER 36
#define PR_GET_CHILD_SUBREAPER 37
void __library_not_modelled(const char *);
static inline int __prctl(int __what) {
  if (__what != PR_SET_NAME && __what != PR_SET_PDEATHSIG) __library_not_modelled("this use of `prctl` is not modelled");
  return 0;
}
#define prctl(what, ...) __prctl(what)
#endif
