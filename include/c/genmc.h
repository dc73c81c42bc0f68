/* For programs that were written for the model checker GenMC. */
#ifndef _GENMC_H
#define _GENMC_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <pthread.h>
typedef pthread_t __VERIFIER_thread_t;
void __VERIFIER_assume(int);
int __VERIFIER_nondet_int(void);
__VERIFIER_thread_t __VERIFIER_spawn(void *(*)(void *), void *);
__VERIFIER_thread_t __VERIFIER_spawn_symmetric(void *(*)(void *), void *, __VERIFIER_thread_t);
void *__VERIFIER_join(__VERIFIER_thread_t);
#define __VERIFIER_method_begin(...) ((void)0)
#define __VERIFIER_method_end(...) ((void)0)
#define __VERIFIER_optional(...) do { __VA_ARGS__; } while (0)
#define __VERIFIER_local_write
#define __VERIFIER_final_write
#define __VERIFIER_helped_CAS(...) __VA_ARGS__
#define __VERIFIER_helping_CAS(...) ((void)0)
#define __VERIFIER_CAS_helping_explicit(...) ((void)0)
#endif
