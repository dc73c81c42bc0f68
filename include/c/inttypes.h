/* C11 7.8 */
#ifndef _INTTYPES_H
#define _INTTYPES_H
#include <features.h>
#include <stdint.h>
#include <__numbers.h>
typedef struct { intmax_t quot, rem; } imaxdiv_t;
intmax_t imaxabs(intmax_t);
imaxdiv_t imaxdiv(intmax_t, intmax_t);
static inline intmax_t strtoimax(const char *__s, char **__end, int __base) { return strtoll(__s, __end, __base); }
static inline uintmax_t strtoumax(const char *__s, char **__end, int __base) { return strtoull(__s, __end, __base); }
#define PRId8 "d"
#define PRIi8 "i"
#define PRIu8 "u"
#define PRIx8 "x"
#define PRIo8 "o"
#define PRIX8 "X"
#define PRId16 "d"
#define PRIi16 "i"
#define PRIu16 "u"
#define PRIx16 "x"
#define PRIo16 "o"
#define PRIX16 "X"
#define PRId32 "d"
#define PRIi32 "i"
#define PRIu32 "u"
#define PRIx32 "x"
#define PRIo32 "o"
#define PRIX32 "X"
#define PRId64 "lld"
#define PRIi64 "lli"
#define PRIu64 "llu"
#define PRIx64 "llx"
#define PRIo64 "llo"
#define PRIX64 "llX"
#define PRIdMAX "jd"
#define PRIiMAX "ji"
#define PRIuMAX "ju"
#define PRIxMAX "jx"
#define PRIoMAX "jo"
#define PRIXMAX "jX"
#define PRIdPTR "td"
#define PRIiPTR "ti"
#define PRIuPTR "tu"
#define PRIxPTR "tx"
#define PRIXPTR "tX"
#define SCNd32 "d"
#define SCNu32 "u"
#define SCNx32 "x"
#define SCNi32 "i"
#define SCNd64 "lld"
#define SCNi64 "lli"
#define SCNu64 "llu"
#define SCNx64 "llx"
#endif
