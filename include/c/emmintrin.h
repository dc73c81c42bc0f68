/* Of the intrinsics of x86 those that pause and order. */
#ifndef _EMMINTRIN_H
#define _EMMINTRIN_H
#define _MM_HINT_T0 3
#define _MM_HINT_T1 2
#define _MM_HINT_T2 1
#define _MM_HINT_NTA 0
static inline void _mm_pause(void) {}
static inline void _mm_prefetch(const void *__at, int __how) {}
static inline void _mm_mfence(void) { __atomic_thread_fence(5); }
static inline void _mm_lfence(void) { __atomic_thread_fence(2); }
static inline void _mm_sfence(void) { __atomic_thread_fence(3); }
typedef struct { long long __halves[2]; } __m128i;
__m128i _mm_load_si128(const __m128i *);
__m128i _mm_loadu_si128(const __m128i *);
void _mm_store_si128(__m128i *, __m128i);
void _mm_storeu_si128(__m128i *, __m128i);
__m128i _mm_set1_epi8(char);
__m128i _mm_setzero_si128(void);
__m128i _mm_cmpeq_epi8(__m128i, __m128i);
int _mm_movemask_epi8(__m128i);
unsigned long long __VERIFIER_nondet_library_time_stamp(void);
static inline unsigned long long __rdtsc(void) { return __VERIFIER_nondet_library_time_stamp(); }
#endif
