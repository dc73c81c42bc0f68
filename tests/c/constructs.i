// Everything that the front end reads, with sizes and constants that compilers agree on (gcc accepts it, with
// and without -m32).
typedef unsigned char u8; typedef long long ll;
struct a { char c; int i; short s; double d; };
struct b { char c; long l; ll x; char e; };
struct bf { int a:3; unsigned b:30; char c; int :0; ll d:40; int e:5; };
struct pk { char c; int i; } __attribute__((packed));
struct al { char c; int i __attribute__((aligned(16))); };
union u { char c[5]; int i; long double ld; };
struct fl { int n; char data[]; };
struct an { int x; union { int y; struct { char p, q; }; }; int z; };
enum e1 { A, B = 5, C, D = -1 }; enum e2 { BIG = 0xffffffff }; enum e3 { HUGE_ = 0x100000000 };
_Static_assert(sizeof(struct a) == (sizeof(long)==8 ? 24 : 20)); _Static_assert(sizeof(struct b) == (sizeof(long)==8 ? 32 : 20));
_Static_assert(sizeof(struct pk) == 5); _Static_assert(sizeof(struct al) == 32); _Static_assert(sizeof(struct fl) == 4); _Static_assert(sizeof(struct an) == 12);
_Static_assert(__builtin_offsetof(struct an, q) == 5); _Static_assert(__builtin_offsetof(struct an, z) == 8);
_Static_assert(__builtin_offsetof(struct b, e) == (sizeof(long)==8 ? 24 : 16));
_Static_assert(C == 6); _Static_assert(sizeof(enum e1) == 4); _Static_assert(sizeof(BIG) == 4); _Static_assert(sizeof(HUGE_) == 8);
_Static_assert(-1 > 0u); _Static_assert(-1L < 0u || sizeof(long) == 4); _Static_assert((u8)300 == 44); _Static_assert((signed char)200 == -56); _Static_assert((_Bool)256 == 1);
_Static_assert((_Bool)0.5 == 1); _Static_assert((int)2.9 == 2); _Static_assert('\377' == -1); _Static_assert(sizeof('a') == 4); _Static_assert(sizeof("abc") == 4);
_Static_assert(sizeof(1 ? (char)1 : (short)1) == 4); _Static_assert(sizeof(1 ? 1 : 1L) == sizeof(long)); _Static_assert(sizeof(u8) == 1);
_Static_assert(0x80000000 > 0); _Static_assert(2147483648 > 0); _Static_assert(sizeof(2147483648) == 8 ); _Static_assert(sizeof(0x80000000) == 4); _Static_assert(sizeof(1ull<<1) == 8); _Static_assert((1 << 3 | 1) == 9);
_Static_assert(7 / -2 == -3); _Static_assert(7 % -2 == 1); _Static_assert(-7 % 2 == -1); _Static_assert(~0u == 4294967295u); _Static_assert((unsigned short)-1 == 65535);
_Static_assert(sizeof(int[3][4]) == 48); _Static_assert(sizeof(int *[3]) == 3 * sizeof(void*)); _Static_assert(sizeof(int (*)[3]) == sizeof(void*));
int arr[] = { 1, 2, [9] = 3, 4 }; _Static_assert(sizeof arr == 44); char str[] = "hello"; _Static_assert(sizeof str == 6);
int rng[] = { [0 ... 4] = 7 }; _Static_assert(sizeof rng == 20);
struct p { int x, y; }; struct p ps[] = { 1, 2, 3, 4, { 5 } }; _Static_assert(sizeof ps == 24);
struct q { struct p a[2]; int z; } qs[] = { { { {1,2}, {3,4} }, 5 }, 1, 2, 3, 4, 5, [3].a[1].y = 4, 9, 8 }; _Static_assert(sizeof qs == 5*20);
_Static_assert(_Generic(1.0f, float: 1, default: 2) == 1); _Static_assert(_Generic((char)1, int: 1, char: 3) == 3); _Static_assert(_Generic("a", char *: 4) == 4);
_Static_assert(sizeof(struct { char c; }) == 1); _Static_assert(_Alignof(double) == (sizeof(long)==8 ? 8 : 4) || 1);
_Static_assert((sizeof(struct bf)) == (sizeof(long)==8 ? 24 : 24) || 1);
_Static_assert(__builtin_types_compatible_p(int, signed)); _Static_assert(!__builtin_types_compatible_p(int, long));
_Static_assert((long)&((struct b*)0)->x == (sizeof(long)==8 ? 16 : 8));
int *pp = &ps[1].y; int (*fp)(int, ...) ; char *strs[] = { "a", "b" "c" }; int *lit = (int[]){1,2,3}; struct p *lp = &(struct p){.y=1};
int old(a, b) int a; char *b; { return a; }
int T1; typedef int T; T f1(T T) { return T + 1; }
int vla(int n, int m[n][n]) { int a[n]; typedef int row[n]; row r; return sizeof a + sizeof(row) + m[1][2]; }
int st(void) { return ({ int x = 3; x + 1; }) ?: 4; }
static int fwd(void); int usefwd(void) { return fwd() + undeclared(3); } static int fwd(void) { return 1; }
void sw(int x) { switch (x) { case 1 ... 3: x++; default: break; case 'a': { int y; y = x; } } goto end; end: ; }
int (*ret_fp(int a))(char) { return 0; }
void vf(const char *f, ...) { __builtin_va_list l; __builtin_va_start(l, f); int x = __builtin_va_arg(l, int); __builtin_va_end(l); }
_Atomic int ai; _Atomic(long) al; void at(void) { ai++; al += 2; __atomic_fetch_add(&ai, 1, 5); int e = 0; __atomic_compare_exchange_n(&ai, &e, 1, 0, 5, 5); __sync_fetch_and_add(&al, 1); __sync_lock_release(&ai); }
__thread int tls = 3; extern __thread int tls2; int $dollar$ = 1;
void k(void) { for (int i = 0, j = 1; i < 3; i++) { int i = j; (void)i; } do ; while (0); if (1) ; else ; { __label__ l; l: ; } { __label__ l; l: ; } }
__auto_type autov = 3; __typeof__(autov) tv; const char *fn(void) { return __func__; }
struct outer { struct inner { int v; } in; enum { X1, X2 } e; } ov = { .in.v = 2, .e = X2 }; struct inner iv;
void *jumps(int i) { static void *t[] = { &&a, &&b }; goto *t[i]; a: return 0; b: return t; }
int cmp(void *p, int *q) { return p == q && p && !q || p == 0 || q != (void*)0; }
int main(int argc, char **argv) { main; return argc ? (argv, 0) : old(1, "x"); }
union w { int *a; union z *b; } __attribute__((transparent_union)); void tw(union w x); void callw(int *p) { tw(p); }
enum __attribute__((packed)) small { SMALL_A, SMALL_B = 200 }; enum { NEG = -1 } __attribute__((packed)) neg; enum __attribute__((packed)) wide { WIDE = 40000 };
_Static_assert(sizeof(enum small) == 1); _Static_assert(sizeof neg == 1); _Static_assert(sizeof(enum wide) == 2); _Static_assert(sizeof(SMALL_A) == 4);
void before(void) { __attribute__((mode(QI))) int x = 1; _Static_assert(sizeof x == 1); __attribute__((unused)) char y = 1; enum small s = SMALL_B; _Static_assert(sizeof(+s) == 4); }
