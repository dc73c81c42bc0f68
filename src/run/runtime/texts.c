/* Functions of the C library that read or write memory of the program, where no report shows it. Each of them copies what
   it reads, word by word, into bytes of the thread's own, and writes word by word. It reads no more than it has to: behind
   the end of a text others may write, or no memory may be allocated. */
#include "runtime.h"
#include <ctype.h>
#include <stdarg.h>
#include <strings.h>
#undef fread_unlocked
#undef fwrite_unlocked
/* Weak, so that `--reproduce` knows them: they control nothing. */
#undef API
#define API __attribute__((visibility("default"), weak))

/* Libraries' calls are the program's; our own ones, and those before `main`, go to the C library. */
#define PASS(type, name, ...) if (!watches(PC)) { REAL(type, name); return name##_(__VA_ARGS__); }
#define ALIAS(type, name, other, ...) API type other(__VA_ARGS__) __attribute__((alias(#name)));
#define NO_END (~0ul)

static void too_small(void)
{
	REAL(void, __chk_fail);
	__chk_fail_();
}

/* The place of the first byte for which `stop` has a 1, or `most`; `last` is that byte. */
static u64 span(const void *s, u64 most, const u8 *stop, u8 *last, u64 pc)
{
	u8 word[8];
	for (u64 at = 0, n; at < most; at += n) {
		n = look(word, (const u8 *)s + at, most - at, stop, 1, pc);
		for (u64 i = 0; i < n; i++)
			if (stop[word[i]])
				return *last = word[i], at + i;
	}
	return most;
}
static u64 length(const void *s, u64 pc) { u8 last; return span(s, NO_END, text_end, &last, pc); }

/* Copies bytes up to the first one of `stop` into the thread's own from `at` on, with a 0 behind. Returns how many. */
static u64 take(u64 at, const void *s, u64 most, const u8 *stop, u64 pc)
{
	for (u64 done = 0, n; done < most; done += n) {
		u8 *to = own(at + done + 9) + at + done;
		n = look(to, (const u8 *)s + done, most - done, stop, 1, pc);
		for (u64 i = 0; stop && i < n; i++)
			if (stop[to[i]])
				return to[i + 1] = 0, done + i + 1;
	}
	return own(at + most + 1)[at + most] = 0, most;
}
static u64 text(u64 at, const void *s, u64 pc) { return take(at, s, NO_END, text_end, pc); }

/* Copies up to the first byte of `stop`. Returns how many bytes; the last one is in `last`. */
static u64 carry(void *to, const void *from, u64 most, const u8 *stop, u8 *last, u64 pc)
{
	u8 word[8];
	for (u64 at = 0, n; at < most; at += n) {
		int ends = 0;
		n = look(word, (const u8 *)from + at, most - at, stop, 1, pc);
		for (u64 i = 0; i < n && !ends; i++)
			if (stop[word[i]])
				n = i + 1, ends = 1;
		leave((u8 *)to + at, word, n, 1, pc);
		*last = word[n - 1];
		if (ends)
			return at + n;
	}
	return most;
}

/* Copies of texts. The checked forms know how much room there is. */
static u64 put_text(char *to, const char *from, u64 room, u64 pc)
{
	u8 last = 1;
	u64 n = carry(to, from, room, text_end, &last, pc);
	if (last)
		too_small();
	return n;
}
static u64 put_part(char *to, const char *from, u64 n, u64 room, u64 pc)
{
	u8 last = 1;
	if (n > room)
		too_small();
	u64 got = carry(to, from, n, text_end, &last, pc);
	set_by_words((u8 *)to + got, 0, n - got, pc);
	return got && !last ? got - 1 : got;
}
static char *add_part(char *to, const char *from, u64 n, u64 room, u64 pc)
{
	u8 last = 1;
	u64 at = length(to, pc), left = at < room ? room - at : 0;
	u64 got = carry(to + at, from, n < left ? n : left, text_end, &last, pc);
	if (last && got == left)
		too_small();
	if (last)
		leave((u8 *)to + at + got, text_end + 1, 1, 1, pc);
	return to;
}
API char *__strcpy_chk(char *to, const char *from, size_t room) { PASS(char *, __strcpy_chk, to, from, room) put_text(to, from, room, PC); return to; }
API char *stpcpy(char *to, const char *from) { PASS(char *, stpcpy, to, from) return to + put_text(to, from, NO_END, PC) - 1; }
API char *__stpcpy_chk(char *to, const char *from, size_t room) { PASS(char *, __stpcpy_chk, to, from, room) return to + put_text(to, from, room, PC) - 1; }
API char *strncpy(char *to, const char *from, size_t n) { PASS(char *, strncpy, to, from, n) put_part(to, from, n, n, PC); return to; }
API char *__strncpy_chk(char *to, const char *from, size_t n, size_t room) { PASS(char *, __strncpy_chk, to, from, n, room) put_part(to, from, n, room, PC); return to; }
API char *stpncpy(char *to, const char *from, size_t n) { PASS(char *, stpncpy, to, from, n) return to + put_part(to, from, n, n, PC); }
API char *__stpncpy_chk(char *to, const char *from, size_t n, size_t room) { PASS(char *, __stpncpy_chk, to, from, n, room) return to + put_part(to, from, n, room, PC); }
API char *strcat(char *to, const char *from) { PASS(char *, strcat, to, from) return add_part(to, from, NO_END, NO_END, PC); }
API char *__strcat_chk(char *to, const char *from, size_t room) { PASS(char *, __strcat_chk, to, from, room) return add_part(to, from, NO_END, room, PC); }
API char *strncat(char *to, const char *from, size_t n) { PASS(char *, strncat, to, from, n) return add_part(to, from, n, NO_END, PC); }
API char *__strncat_chk(char *to, const char *from, size_t n, size_t room) { PASS(char *, __strncat_chk, to, from, n, room) return add_part(to, from, n, room, PC); }
ALIAS(char *, stpcpy, __stpcpy, char *, const char *)

static char *twin(const char *s, u64 most, u64 pc)
{
	u64 n = take(0, s, most, text_end, pc);
	if (!n || own(n)[n - 1])
		n++;
	char *to = malloc(n);
	if (to)
		fill(to, own(n), n, pc);
	return to;
}
API char *strdup(const char *s) { PASS(char *, strdup, s) return twin(s, NO_END, PC); }
API char *strndup(const char *s, size_t n) { PASS(char *, strndup, s, n) return twin(s, n, PC); }
ALIAS(char *, strdup, __strdup, const char *)
ALIAS(char *, strndup, __strndup, const char *, size_t)

/* Copies of bytes. */
static void *copy(void *to, const void *from, u64 n, u64 room, u64 pc)
{
	if (n > room)
		too_small();
	return n && watches(pc) ? move_by_words(to, from, n, pc) : memmove(to, from, n);
}
static void *put_bytes(void *to, int byte, u64 n, u64 room, u64 pc)
{
	if (n > room)
		too_small();
	return n && watches(pc) ? set_by_words(to, byte, n, pc) : memset(to, byte, n);
}
API void *__memcpy_chk(void *to, const void *from, size_t n, size_t room) { return copy(to, from, n, room, PC); }
API void *__memmove_chk(void *to, const void *from, size_t n, size_t room) { return copy(to, from, n, room, PC); }
API void *mempcpy(void *to, const void *from, size_t n) { return (u8 *)copy(to, from, n, n, PC) + n; }
API void *__mempcpy_chk(void *to, const void *from, size_t n, size_t room) { return (u8 *)copy(to, from, n, room, PC) + n; }
ALIAS(void *, mempcpy, __mempcpy, void *, const void *, size_t)
API void bcopy(const void *from, void *to, size_t n) { copy(to, from, n, n, PC); }
API void *__memset_chk(void *to, int byte, size_t n, size_t room) { return put_bytes(to, byte, n, room, PC); }
API void bzero(void *to, size_t n) { put_bytes(to, 0, n, n, PC); }
API void explicit_bzero(void *to, size_t n) { put_bytes(to, 0, n, n, PC); }
API void __explicit_bzero_chk(void *to, size_t n, size_t room) { put_bytes(to, 0, n, room, PC); }
API void *memccpy(void *to, const void *from, int byte, size_t n)
{
	PASS(void *, memccpy, to, from, byte, n)
	u8 stop[256] = {0}, last = ~byte;
	stop[(u8)byte] = 1;
	u64 done = carry(to, from, n, stop, &last, PC);
	return last == (u8)byte ? (u8 *)to + done : 0;
}

/* Searches for bytes. */
static char *first(const void *s, u64 most, int byte, int in_text, char *otherwise, u64 pc)
{
	u8 stop[256] = {in_text}, last = ~byte;
	stop[(u8)byte] = 1;
	u64 at = span(s, most, stop, &last, pc);
	return last == (u8)byte ? (char *)s + at : otherwise ? (char *)s + at : 0;
}
API char *strchr(const char *s, int byte) { PASS(char *, strchr, s, byte) return first(s, NO_END, byte, 1, 0, PC); }
API char *strchrnul(const char *s, int byte) { PASS(char *, strchrnul, s, byte) return first(s, NO_END, byte, 1, (char *)s, PC); }
API void *memchr(const void *s, int byte, size_t n) { PASS(void *, memchr, s, byte, n) return first(s, n, byte, 0, 0, PC); }
API void *rawmemchr(const void *s, int byte) { PASS(void *, rawmemchr, s, byte) return first(s, NO_END, byte, 0, 0, PC); }
ALIAS(char *, strchr, index, const char *, int)
ALIAS(void *, rawmemchr, __rawmemchr, const void *, int)
static void *final(const void *s, int byte, u64 n)
{
	for (u8 *bytes = own(n); n; n--)
		if (bytes[n - 1] == (u8)byte)
			return (u8 *)s + n - 1;
	return 0;
}
API void *memrchr(const void *s, int byte, size_t n) { PASS(void *, memrchr, s, byte, n) return final(s, byte, take(0, s, n, 0, PC)); }
API char *strrchr(const char *s, int byte) { PASS(char *, strrchr, s, byte) return final(s, byte, text(0, s, PC)); }
ALIAS(char *, strrchr, rindex, const char *, int)

/* Texts in texts: the C library searches in the copies. */
static void *within(void *found, const void *s) { return found ? (u8 *)s + ((u8 *)found - own(0)) : 0; }
#define IN_TEXT(name) API char *name(const char *s, const char *part) { \
	PASS(char *, name, s, part) \
	REAL(char *, name); \
	u64 n = text(0, s, PC); \
	text(n, part, PC); \
	return within(name##_(own(0), own(0) + n), s); }
IN_TEXT(strstr) IN_TEXT(strcasestr)
API void *memmem(const void *s, size_t n, const void *part, size_t m)
{
	PASS(void *, memmem, s, n, part, m)
	REAL(void *, memmem);
	take(0, s, n, 0, PC), take(n, part, m, 0, PC);
	return within(memmem_(own(0), n, own(0) + n, m), s);
}

/* Finds the first byte of a text that is in a set (with `in`: that is not), or the end of the text. */
static u64 leaves(const char *s, const char *set, int in, u8 *last, u64 pc)
{
	u8 stop[256];
	u64 n = text(0, set, pc);
	for (int i = 0; i < 256; i++)
		stop[i] = in;
	for (u64 i = 0; i < n; i++)
		stop[own(n)[i]] = !in;
	stop[0] = 1;
	return span(s, NO_END, stop, last, pc);
}
API size_t strspn(const char *s, const char *set) { PASS(size_t, strspn, s, set) u8 last; return leaves(s, set, 1, &last, PC); }
API size_t strcspn(const char *s, const char *set) { PASS(size_t, strcspn, s, set) u8 last; return leaves(s, set, 0, &last, PC); }
API char *strpbrk(const char *s, const char *set)
{
	PASS(char *, strpbrk, s, set)
	u8 last;
	u64 at = leaves(s, set, 0, &last, PC);
	return last ? (char *)s + at : 0;
}
static void keep_place(char **place, char *at, u64 pc) { fill(place, (u8 *)&at, sizeof at, pc); }
/* Ends a text at the next byte of a set. `place` is then behind this byte; if there is none, the end, or null if `nowhere`. */
static char *cut(char *s, const char *set, char **place, int nowhere, u64 pc)
{
	u8 last;
	u64 at = leaves(s, set, 0, &last, pc);
	if (last)
		leave((u8 *)s + at, text_end + 1, 1, 1, pc);
	keep_place(place, last ? s + at + 1 : nowhere ? 0 : s + at, pc);
	return s;
}
static char *token(char *s, const char *set, char **place, u64 pc)
{
	u8 last;
	if (!s)
		look_at((u8 *)&s, place, sizeof s, pc);
	if (!s)
		return 0;
	s += leaves(s, set, 1, &last, pc);
	if (last)
		return cut(s, set, place, 0, pc);
	keep_place(place, s, pc);
	return 0;
}
API char *strtok_r(char *s, const char *set, char **place) { PASS(char *, strtok_r, s, set, place) return token(s, set, place, PC); }
ALIAS(char *, strtok_r, __strtok_r, char *, const char *, char **)
/* All threads share one place, so a race for it is one of the program. */
static char *place_of_strtok;
API char *strtok(char *s, const char *set) { PASS(char *, strtok, s, set) return token(s, set, &place_of_strtok, PC); }
API char *strsep(char **place, const char *set)
{
	PASS(char *, strsep, place, set)
	char *s;
	look_at((u8 *)&s, place, sizeof s, PC);
	return s ? cut(s, set, place, 1, PC) : 0;
}

static int compare(const char *a, const char *b, u64 most, u64 pc)
{
	u8 x[8], y[8];
	for (u64 at = 0, n; at < most; at += n) {
		n = look(x, (const u8 *)a + at, most - at, text_end, 1, pc);
		n = look(y, (const u8 *)b + at, n, text_end, 1, pc);
		for (u64 i = 0; i < n; i++)
			if (tolower(x[i]) != tolower(y[i]))
				return tolower(x[i]) - tolower(y[i]);
			else if (!x[i])
				return 0;
	}
	return 0;
}
API int strcasecmp(const char *a, const char *b) { PASS(int, strcasecmp, a, b) return compare(a, b, NO_END, PC); }
API int strncasecmp(const char *a, const char *b, size_t n) { PASS(int, strncasecmp, a, b, n) return compare(a, b, n, PC); }

/* Reads spaces, then the characters that a number may have. Base 1 stands for floating-point numbers. */
static void number(const char *s, int base, u64 pc)
{
	u8 stop[256];
	for (int i = 0; i < 256; i++)
		stop[i] = !isspace(i);
	u64 n = take(0, s, NO_END, stop, pc);
	if (!own(n)[n - 1])
		return;
	int digits = base ? base : 16;
	for (int i = 0; i < 256; i++) {
		int digit = i >= '0' && i <= '9' ? i - '0' : i < 128 && isalpha(i) ? tolower(i) - 'a' + 10 : 99;
		int sign = i == '+' || i == '-' || ((base == 0 || base == 16) && (i == 'x' || i == 'X'));
		stop[i] = !sign && (base == 1 ? digit > 35 && !strchr(".,()_", i) : digit >= digits);
	}
	stop[0] = 1;
	/* Reads the first byte that is no space once more: it may be the end. */
	take(n - 1, s + n - 1, NO_END, stop, pc);
}
#define NUMBER(type, name, base, parameters, ...) API type name parameters { \
	PASS(type, name, __VA_ARGS__) \
	REAL(type, name); \
	char **asked = end, *stopped; \
	const char *from = s; \
	number(s, base, PC); \
	s = (char *)own(0), end = &stopped; \
	type value = name##_(__VA_ARGS__); \
	if (asked) \
		keep_place(asked, (char *)from + (stopped - s), PC); \
	return value; }
#define INTEGER(type, name) NUMBER(type, name, base, (const char *s, char **end, int base), s, end, base)
#define FLOATING(type, name) NUMBER(type, name, 1, (const char *s, char **end), s, end)
INTEGER(long, strtol) INTEGER(long long, strtoll) INTEGER(unsigned long, strtoul) INTEGER(unsigned long long, strtoull)
INTEGER(long, __isoc23_strtol) INTEGER(long long, __isoc23_strtoll)
INTEGER(unsigned long, __isoc23_strtoul) INTEGER(unsigned long long, __isoc23_strtoull)
INTEGER(intmax_t, strtoimax) INTEGER(uintmax_t, strtoumax)
FLOATING(float, strtof) FLOATING(double, strtod) FLOATING(long double, strtold)
#define SHORT_NUMBER(type, name, base) API type name(const char *s) { \
	PASS(type, name, s) \
	REAL(type, name); \
	number(s, base, PC); \
	return name##_(own(0)); }
SHORT_NUMBER(int, atoi, 10) SHORT_NUMBER(long, atol, 10) SHORT_NUMBER(long long, atoll, 10) SHORT_NUMBER(double, atof, 1)

/* Files: the C library reads and writes the copies. */
API int puts(const char *s) { PASS(int, puts, s) REAL(int, puts); text(0, s, PC); return puts_(own(0)); }
#define PUTS(name) API int name(const char *s, FILE *f) { PASS(int, name, s, f) REAL(int, name); text(0, s, PC); return name##_(own(0), f); }
PUTS(fputs) PUTS(fputs_unlocked)
#define WRITES(name) API size_t name(const void *from, size_t size, size_t count, FILE *f) { \
	u64 all; \
	if (__builtin_mul_overflow(size, count, &all)) all = 0; \
	PASS(size_t, name, from, size, count, f) \
	REAL(size_t, name); \
	take(0, from, all, 0, PC); \
	return name##_(own(0), size, count, f); }
WRITES(fwrite) WRITES(fwrite_unlocked)
static size_t read_file(void *to, u64 size, u64 count, FILE *f, u64 pc)
{
	u64 all;
	if (__builtin_mul_overflow(size, count, &all) || !all)
		return 0;
	REAL(size_t, fread);
	u64 got = fread_(own(all), 1, all, f);
	seeded(fileno(f), own(0), got);
	fill(to, own(0), got, pc);
	return got / size;
}
#define READS(name) API size_t name(void *to, size_t size, size_t count, FILE *f) { PASS(size_t, name, to, size, count, f) return read_file(to, size, count, f, PC); }
READS(fread) READS(fread_unlocked)
API size_t __fread_chk(void *to, size_t room, size_t size, size_t count, FILE *f)
{
	PASS(size_t, __fread_chk, to, room, size, count, f)
	if (size && count > room / size)
		too_small();
	return read_file(to, size, count, f, PC);
}
/* A line may have zeros in it. So the buffer is full of ends of lines before, which shows how far the line goes. */
static char *line(char *to, u64 room, int n, FILE *f, u64 pc)
{
	REAL(char *, fgets);
	if (n > 0 && n > room)
		too_small();
	u8 *bytes = own(n < 1 ? 1 : n);
	for (int i = 0; i < n; i++)
		bytes[i] = '\n';
	if (!fgets_(bytes, n, f))
		return 0;
	int last = 0;
	while (last < n && bytes[last] != '\n')
		last++;
	fill(to, bytes, last + 1 < n && !bytes[last + 1] ? last + 2 : last, pc);
	return to;
}
API char *fgets(char *to, int n, FILE *f) { PASS(char *, fgets, to, n, f) return line(to, n, n, f, PC); }
API char *fgets_unlocked(char *to, int n, FILE *f) { PASS(char *, fgets_unlocked, to, n, f) return line(to, n, n, f, PC); }
API char *__fgets_chk(char *to, size_t room, int n, FILE *f) { PASS(char *, __fgets_chk, to, room, n, f) return line(to, room, n, f, PC); }

/* Formats. The arguments of a format go into a list of our own, with copies in the place of texts. */
struct made { __attribute__((aligned(16))) u64 slot[96]; va_list list, given; u64 end; int slots; };
#define NEXT(type) va_arg(m->given, type)

/* A number in a format, or an argument for it. */
static int size_in(const u8 **at, struct made *m)
{
	int n = 0;
	if (**at == '*')
		return ++*at, m->slot[m->slots++] = n = NEXT(int), n;
	for (; isdigit(**at); ++*at)
		n = n * 10 + **at - '0';
	return n;
}
static void floating(struct made *m, int is_long)
{
	if (is_long) {
		long double x = NEXT(long double);
		m->slots += m->slots % 2;
		memcpy(&m->slot[m->slots], &x, sizeof x);
		m->slots += 2;
	} else {
		double x = NEXT(double);
		memcpy(&m->slot[m->slots++], &x, sizeof x);
	}
}
/* A text ends at a zero, or has so many bytes. */
static void named(struct made *m, u64 most, u64 pc)
{
	const char *s = NEXT(const char *);
	u64 at = m->end;
	if (s)
		m->end += take(at, s, most, text_end, pc) + 1;
	m->slot[m->slots++] = s ? (u64)own(0) + at : 0;
}
/* Handles one conversion, behind its `%`. Returns 0 if it is not known. */
static int conversion(const u8 **at, struct made *m, u64 pc)
{
	u64 most = NO_END;
	int longs = 0;
	while (**at && strchr("-+ #0'I", **at))
		++*at;
	size_in(at, m);
	if (**at == '.') {
		++*at;
		int n = size_in(at, m);
		most = n < 0 ? NO_END : n;
	}
	for (; **at && strchr("hlqLjzt", **at); ++*at)
		longs |= **at == 'h' ? 0 : **at == 'L' ? 2 : 1;
	u8 what = *(*at)++;
	if (what == '%' || what == 'm')
		return 1;
	if (!what || !strchr("diouxXcspnfFeEgGaACS", what))
		return 0;
	if (strchr("fFeEgGaA", what))
		floating(m, longs & 2);
	else if (what == 's' && !longs)
		named(m, most, pc);
	else if (strchr("spnS", what) || longs)
		m->slot[m->slots++] = NEXT(u64);
	else
		m->slot[m->slots++] = (u32)NEXT(int);
	return 1;
}
/* A list whose arguments all lie in memory. */
static void begin_list(va_list *list, u64 *slots)
{
#if defined(__x86_64__)
	struct { u32 whole, floating; void *more, *saved; } l = {48, 176, slots, 0};
#else
	struct { void *more, *whole, *floating; int offsets[2]; } l = {slots, 0, 0, {0, 0}};
#endif
	memcpy(list, &l, sizeof l);
}
/* Returns a copy of the format, or 0 if it asks for something unknown: then the reads of its texts are not seen. */
static const char *ready(struct made *m, const char *format, va_list given, u64 pc)
{
	m->slots = 0;
	m->end = text(0, format, pc);
	/* This address stays valid, also after the thread has got more room. */
	const char *own_format = (char *)own(0);
	int known = 1;
	va_copy(m->given, given);
	for (const u8 *at = (u8 *)own_format; *at && known;)
		if (*at++ == '%')
			known = m->slots < 88 && conversion(&at, m, pc);
	va_end(m->given);
	begin_list(&m->list, m->slot);
	return known ? own_format : 0;
}
static int to_file(FILE *f, const char *format, va_list given, u64 pc)
{
	REAL(int, vfprintf);
	struct made m;
	const char *own_format = watches(pc) ? ready(&m, format, given, pc) : 0;
	return own_format ? vfprintf_(f, own_format, m.list) : vfprintf_(f, format, given);
}
static int to_memory(char *to, u64 size, u64 room, const char *format, va_list given, u64 pc)
{
	REAL(int, vsnprintf);
	REAL(int, vsprintf);
	if (size != NO_END && size > room)
		too_small();
	if (!watches(pc))
		return size == NO_END ? vsprintf_(to, format, given) : vsnprintf_(to, size, format, given);
	struct made m;
	const char *own_format = ready(&m, format, given, pc);
	va_list once, again;
	if (own_format)
		va_copy(once, m.list), va_copy(again, m.list);
	else
		va_copy(once, given), va_copy(again, given), own_format = format;
	int n = vsnprintf_(0, 0ul, own_format, once);
	u64 all = n < 0 ? 0 : n + 1ul, fits = all < size ? all : size;
	if (size == NO_END && all > room)
		too_small();
	u8 *made = own(m.end + all) + m.end;
	if (fits) {
		vsnprintf_(made, fits, own_format, again);
		fill(to, made, fits, pc);
	}
	va_end(once), va_end(again);
	return n;
}
API int vfprintf(FILE *f, const char *format, va_list l) { return to_file(f, format, l, PC); }
API int vprintf(const char *format, va_list l) { return to_file(stdout, format, l, PC); }
API int vsprintf(char *to, const char *format, va_list l) { return to_memory(to, NO_END, NO_END, format, l, PC); }
API int vsnprintf(char *to, size_t n, const char *format, va_list l) { return to_memory(to, n, NO_END, format, l, PC); }
API int __vfprintf_chk(FILE *f, int flag, const char *format, va_list l) { return to_file(f, format, l, PC); }
API int __vprintf_chk(int flag, const char *format, va_list l) { return to_file(stdout, format, l, PC); }
API int __vsprintf_chk(char *to, int flag, size_t room, const char *format, va_list l) { return to_memory(to, NO_END, room, format, l, PC); }
API int __vsnprintf_chk(char *to, size_t n, int flag, size_t room, const char *format, va_list l) { return to_memory(to, n, room, format, l, PC); }
#define LISTED(call) { va_list l; va_start(l, format); int n = call; va_end(l); return n; }
API int fprintf(FILE *f, const char *format, ...) LISTED(to_file(f, format, l, PC))
API int printf(const char *format, ...) LISTED(to_file(stdout, format, l, PC))
API int sprintf(char *to, const char *format, ...) LISTED(to_memory(to, NO_END, NO_END, format, l, PC))
API int snprintf(char *to, size_t size, const char *format, ...) LISTED(to_memory(to, size, NO_END, format, l, PC))
API int __fprintf_chk(FILE *f, int flag, const char *format, ...) LISTED(to_file(f, format, l, PC))
API int __printf_chk(int flag, const char *format, ...) LISTED(to_file(stdout, format, l, PC))
API int __sprintf_chk(char *to, int flag, size_t room, const char *format, ...) LISTED(to_memory(to, NO_END, room, format, l, PC))
API int __snprintf_chk(char *to, size_t size, int flag, size_t room, const char *format, ...) LISTED(to_memory(to, size, room, format, l, PC))
