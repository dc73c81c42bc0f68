/* Functions of the compiler that are functions of the C library by another name, or expressions. There are macros only: nothing is declared here. */
#ifndef ___BUILTINS_H
#define ___BUILTINS_H
#define __builtin_alloca alloca
#define __builtin_bcmp bcmp
#define __builtin_bzero bzero
#define __builtin_memchr memchr
#define __builtin_memcmp memcmp
#define __builtin_mempcpy mempcpy
#define __builtin_stpcpy stpcpy
#define __builtin_stpncpy stpncpy
#define __builtin_strcasecmp strcasecmp
#define __builtin_strcat strcat
#define __builtin_strchr strchr
#define __builtin_strcmp strcmp
#define __builtin_strcpy strcpy
#define __builtin_strcspn strcspn
#define __builtin_strdup strdup
#define __builtin_strlen strlen
#define __builtin_strncasecmp strncasecmp
#define __builtin_strncat strncat
#define __builtin_strncmp strncmp
#define __builtin_strncpy strncpy
#define __builtin_strndup strndup
#define __builtin_strpbrk strpbrk
#define __builtin_strrchr strrchr
#define __builtin_strspn strspn
#define __builtin_strstr strstr
#define __builtin_calloc calloc
#define __builtin_exit exit
#define __builtin_free free
#define __builtin_malloc malloc
#define __builtin_realloc realloc
#define __builtin_fprintf fprintf
#define __builtin_printf printf
#define __builtin_putchar putchar
#define __builtin_puts puts
#define __builtin_snprintf snprintf
#define __builtin_sprintf sprintf
#define __builtin_vprintf vprintf
#define __builtin_vsnprintf vsnprintf
#define __builtin_vsprintf vsprintf
#define __builtin_isalpha isalpha
#define __builtin_isdigit isdigit
#define __builtin_isspace isspace
#define __builtin_tolower tolower
#define __builtin_toupper toupper
#define __builtin_labs labs
#define __builtin_llabs llabs
/* Where the size of an object is not known, nothing is compared with it. */
#define __builtin___memcpy_chk(to, from, n, room) memcpy(to, from, n)
#define __builtin___memmove_chk(to, from, n, room) memmove(to, from, n)
#define __builtin___memset_chk(to, c, n, room) memset(to, c, n)
#define __builtin___strcat_chk(to, from, room) strcat(to, from)
#define __builtin___strcpy_chk(to, from, room) strcpy(to, from)
#define __builtin___strncat_chk(to, from, n, room) strncat(to, from, n)
#define __builtin___strncpy_chk(to, from, n, room) strncpy(to, from, n)
#define __builtin___snprintf_chk(to, n, flag, room, ...) snprintf(to, n, __VA_ARGS__)
#define __builtin___sprintf_chk(to, flag, room, ...) sprintf(to, __VA_ARGS__)
/* Of an array that is named, the size is known. */
#define __builtin_object_size(p, kind) __builtin_choose_expr( \
    __builtin_types_compatible_p(__typeof__(p), __typeof__((0, (p)))), (kind) & 2 ? (__SIZE_TYPE__)0 : (__SIZE_TYPE__)-1, \
    (__SIZE_TYPE__)sizeof(p))
#define __builtin_dynamic_object_size(p, kind) __builtin_object_size(p, kind)
#define __builtin_assume_aligned(p, ...) ((void *)(p))
/* Each place that asks has an address of its own. */
#define __builtin_return_address(level) ({ \
    static char __here; \
    (void *)&__here; })
#define __builtin_extract_return_addr(p) ((void *)(p))
/* Only the frame of the function itself is known. */
#define __builtin_frame_address(level) __builtin_choose_expr((level) == 0, (void *)alloca(1), __builtin_frame_of_a_caller())
#define __builtin_clrsb(n) ({ \
    int __n = (n), __bits = __n < 0 ? ~__n : __n; \
    __bits ? __builtin_clz(__bits) - 1 : 31; })
#define __builtin_clrsbl(n) ({ \
    long __n = (n), __bits = __n < 0 ? ~__n : __n; \
    __bits ? __builtin_clzl(__bits) - 1 : 8 * (int)sizeof __bits - 1; })
#define __builtin_clrsbll(n) ({ \
    long long __n = (n), __bits = __n < 0 ? ~__n : __n; \
    __bits ? __builtin_clzll(__bits) - 1 : 63; })
#define __builtin_parityl(n) (__builtin_popcountl(n) & 1)
#define __builtin_parityll(n) (__builtin_popcountll(n) & 1)
#define __builtin_LINE() __LINE__
#define __builtin_FILE() __FILE__
#define __builtin_FUNCTION() __func__
#endif
