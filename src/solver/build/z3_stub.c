/* Finds the functions of Z3 when the program asks for them. build/z3_stub.rs writes NAMES, JUMPS, COUNT, RUNTIME and KEPT before this. */

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

/* The status of "inconclusive": see docs/verdicts.md. A program that asks `dbverify_z3_missing` first never ends with it. */
#define STATUS 3

static const char *const names[COUNT] = { NAMES };
static char why[1024] = "";

static void lacking(void) {
  fprintf(stderr, "error: no library of Z3 that fits was found: %s\n",
          why[0] ? why : "it lacks a function");
  _Exit(STATUS);
}

/* Looking for the library takes as long as the whole answer about many a program, so it has to wait until it is needed. */
static void early(void) {
  fprintf(stderr, "error: Z3 was called before anybody asked whether it is there\n");
  abort();
}

__attribute__((visibility("hidden"), used)) void *dbverify_z3_table[COUNT] = {
    [0 ... COUNT - 1] = (void *)early};

#ifdef __APPLE__
#define SEARCHED "@rpath/" RUNTIME
#else
#define SEARCHED RUNTIME
#endif

/* Z3 writes to the standard error of C++ when it is stopped at a bad moment: a failed assertion, and a request to report that. What it
   answers is right nevertheless. Nobody else here writes there, so that stream is made one that fails. */
static void silence(void *library) {
  char *stream = dlsym(library, "_ZSt4cerr");
  void (*set)(void *, int) = (void (*)(void *, int))dlsym(library, "_ZNSt9basic_iosIcSt11char_traitsIcEE5clearESt12_Ios_Iostate");
  const int bad = 1;
  /* The virtual table says how far behind the object its state lies. */
  if (stream && set)
    set(stream + (*(long **)stream)[-3], bad);
}

/* Runs once. The library is the one that the user names, or it is looked for in the program's own folders (its run
   paths), then in the
   system's, then where the build has kept it. */
static void fill(void) {
  const char *named = getenv("DBVERIFY_LIBZ3");
  void *library = dlopen(named && *named ? named : SEARCHED, RTLD_LAZY | RTLD_LOCAL);
  if (!library && !(named && *named))
    library = dlopen(KEPT, RTLD_LAZY | RTLD_LOCAL);
  if (!library) {
    const char *said = dlerror();
    snprintf(why, sizeof why, "%s", said ? said : RUNTIME);
  }
  for (int i = 0; i < COUNT; i++) {
    void *found = library ? dlsym(library, names[i]) : 0;
    dbverify_z3_table[i] = found ? found : (void *)lacking;
  }
  if (library)
    silence(library);
  if (library && !dlsym(library, "Z3_get_full_version"))
    snprintf(why, sizeof why, "it lacks the functions of Z3");
}

/* Looks for the library. Returns why there is none, or null. Called once. */
const char *dbverify_z3_missing(void) {
  fill();
  return why[0] ? why : 0;
}

#ifdef __APPLE__
#define SYMBOL(name) "_" name
#define KIND(name)
#else
#define SYMBOL(name) name
#define KIND(name) ".type " name ", %function\n"
#endif

#if defined(__x86_64__)
#define GO(place) "jmpq *" SYMBOL("dbverify_z3_table") "+8*" place "(%rip)\n"
#elif defined(__aarch64__) && defined(__APPLE__)
#define GO(place) \
  "adrp x16, _dbverify_z3_table@PAGE\n" \
  "add x16, x16, _dbverify_z3_table@PAGEOFF\n" \
  "ldr x16, [x16, #(8*" place ")]\n" \
  "br x16\n"
#elif defined(__aarch64__)
#define GO(place) \
  "adrp x16, dbverify_z3_table\n" \
  "add x16, x16, :lo12:dbverify_z3_table\n" \
  "ldr x16, [x16, #(8*" place ")]\n" \
  "br x16\n"
#elif defined(__riscv) && __riscv_xlen == 64
#define GO(place) \
  "lla t1, dbverify_z3_table+8*" place "\n" \
  "ld t1, 0(t1)\n" \
  "jr t1\n"
#else
#error "dbverify: no Z3 is pinned for this processor; see --features vendored"
#endif

#define JUMP(name, place) \
  ".globl " SYMBOL(name) "\n" \
  KIND(name) \
  ".p2align 2\n" \
  SYMBOL(name) ":\n" \
  GO(place)

__asm__(".text\n" JUMPS);
