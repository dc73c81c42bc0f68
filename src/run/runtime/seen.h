/* gcc writes short copies out after it has put calls before accesses: nobody would see them. Calls of the library are seen. */
#ifndef __ASSEMBLER__
#if defined __cplusplus && __cplusplus >= 201103L
#define SEEN(head) extern "C" head noexcept(true);
#elif defined __cplusplus
#define SEEN(head) extern "C" head throw();
#else
#define SEEN(head) extern head;
#endif
SEEN(void *memcpy(void *, const void *, __SIZE_TYPE__))
SEEN(void *memmove(void *, const void *, __SIZE_TYPE__))
SEEN(void *memset(void *, int, __SIZE_TYPE__))
#undef SEEN
#ifdef __cplusplus
#define __builtin_memcpy ::memcpy
#define __builtin_memmove ::memmove
#define __builtin_memset ::memset
#else
#define __builtin_memcpy memcpy
#define __builtin_memmove memmove
#define __builtin_memset memset
#endif
#endif
