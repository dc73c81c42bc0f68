/* C11 7.13. After each call that a jump may leave, the caller reads `__leap_depth`: it returns, or goes on at its own `setjmp`.
   A function that calls `setjmp` has a number: how many such functions go on in the thread. */
#ifndef _SETJMP_H
#define _SETJMP_H
#include <pthread_types.h>
typedef struct { unsigned __depth, __place; pthread_t __owner; _Bool __masked; long long __mask; } jmp_buf[1], sigjmp_buf[1];
int setjmp(jmp_buf);
int sigsetjmp(sigjmp_buf, int);
#define _setjmp(buffer) setjmp(buffer)
pthread_t pthread_self(void);
int pthread_equal(pthread_t, pthread_t);
void __library_wrong(const char *);
/* How many such functions go on; the goal of the jump under way, and what `setjmp` gives there. */
_Thread_local unsigned __leap_frames, __leap_depth, __leap_place;
_Thread_local int __leap_value;
static inline unsigned __leap_begins(void) { return ++__leap_frames; }
static inline void __leap_ends(unsigned __depth) { __leap_frames = __depth - 1; }
static inline void __leap_marks(jmp_buf __to, unsigned __depth, unsigned __place) {
  __to->__depth = __depth;
  __to->__place = __place;
  __to->__owner = pthread_self();
  __to->__masked = 0;
}
/* What our `<signal.h>` says of the signals that a thread blocks. A `sigsetjmp` may keep them, behind `__leap_marks`. */
long long __mask_now(void);
int __mask_at_jump(long long);
static inline void __leap_masks(jmp_buf __to, int __keeps) {
  __to->__masked = __keeps != 0;
  if (__keeps) __to->__mask = __mask_now();
}
static inline void __leap_astray(void) { __library_wrong("this jump leads to no function that goes on in this thread"); }
static inline int __leap_lands(void) {
  __leap_depth = 0;
  return __leap_value;
}
static inline void longjmp(jmp_buf __to, int __value) {
  if (!__to->__depth || __to->__depth > __leap_frames || !pthread_equal(__to->__owner, pthread_self())) __leap_astray();
  if (__to->__masked) __mask_at_jump(__to->__mask);
  __leap_depth = __to->__depth;
  __leap_place = __to->__place;
  __leap_value = __value ? __value : 1;
}
static inline void siglongjmp(sigjmp_buf __to, int __value) { longjmp(__to, __value); }
static inline void _longjmp(jmp_buf __to, int __value) { longjmp(__to, __value); }
#endif
