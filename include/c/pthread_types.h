/* The types of POSIX threads. What they are made of is nobody's business: they are known by their names. Their sizes
   are those of glibc: so many words where a word has eight bytes, and where it has four. */
#ifndef _PTHREAD_TYPES_H
#define _PTHREAD_TYPES_H
#define __PTHREAD_OBJECT(of_8, of_4) struct { long __kind, __rest[(sizeof(long) == 8 ? of_8 : of_4) - 1]; }
typedef unsigned long pthread_t;
typedef __PTHREAD_OBJECT(7, 9) pthread_attr_t;
typedef __PTHREAD_OBJECT(5, 6) pthread_mutex_t;
typedef struct { int __kind; } pthread_mutexattr_t;
typedef __PTHREAD_OBJECT(6, 12) pthread_cond_t;
typedef struct { int __kind; } pthread_condattr_t;
typedef __PTHREAD_OBJECT(7, 8) pthread_rwlock_t;
typedef struct { int __kind, __rest; } __attribute__((aligned(sizeof(long)))) pthread_rwlockattr_t;
typedef __PTHREAD_OBJECT(4, 5) pthread_barrier_t;
typedef struct { int __kind; } pthread_barrierattr_t;
typedef int pthread_spinlock_t;
typedef int pthread_once_t;
typedef unsigned int pthread_key_t;
#endif
