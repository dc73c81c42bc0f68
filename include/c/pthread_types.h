/* The types of POSIX threads. What they are made of is nobody's business: they are known by their names. */
#ifndef _PTHREAD_TYPES_H
#define _PTHREAD_TYPES_H
typedef unsigned long pthread_t;
typedef struct { int __kind; } pthread_attr_t;
typedef struct { int __kind; } pthread_mutex_t;
typedef struct { int __kind; } pthread_mutexattr_t;
typedef struct { int __kind; } pthread_cond_t;
typedef struct { int __kind; } pthread_condattr_t;
typedef struct { int __kind; } pthread_rwlock_t;
typedef struct { int __kind; } pthread_rwlockattr_t;
typedef struct { int __kind; } pthread_barrier_t;
typedef struct { int __kind; } pthread_barrierattr_t;
typedef int pthread_spinlock_t;
typedef int pthread_once_t;
typedef unsigned int pthread_key_t;
#endif
