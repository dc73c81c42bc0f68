/* The declarations that the files of the runtime share. */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;

#define API __attribute__((visibility("default")))
#define PC ((u64)__builtin_return_address(0))
#define THREADS 256
#define CELLS 32

/* Some of the threads, by their slots. */
typedef u64 set __attribute__((vector_size(THREADS / 8), aligned(8)));
#define NOBODY ((set){0})
#define EVERYBODY (~NOBODY)
#define INLINE static inline __attribute__((always_inline))
INLINE set only(int slot) { set s = NOBODY; s[slot / 64] = 1ul << slot % 64; return s; }
INLINE int count(set s) { int n = 0; for (int i = 0; i < THREADS / 64; i++) n += __builtin_popcountl(s[i]); return n; }
INLINE int has(set s, int slot) { return s[slot / 64] >> slot % 64 & 1; }

enum kind {
#define KIND(name, words) name,
#include "kinds.h"
#undef KIND
};

/* How an execution ended; the checker has the same numbers. */
enum outcome { NONE, EXITED, ASSERTION, SIGNAL_CAUGHT, DEADLOCK, TOO_LONG, UNSUPPORTED, LEFT, MISUSE };

struct object {
	u64 cell;
	u8 type, state;
	int owner, count, needed;
	set waiting, freed;       /* condition, barrier, futex: who waits, who may go on */
	set *tokens;              /* condition: one for each signal, with those that it may wake */
	int ntokens;
	u8 *readers;
	set mask[2];              /* thread t of class c: it may do what waits for class c */
	u64 time, changes;
	u64 posts, takes, given, *times; /* semaphore: see ops.c */
	u32 room;
	struct object *semaphore; /* whose takes these are */
};

struct op {
	u64 unit, *unit_time; /* of a semaphore: made by a post, else used up */
	u8 kind, guards, cells, yields, polls;
	u64 pc, obj;
	struct { u64 cell; u8 class; } guard[3];
	struct { u64 cell; u8 write; } cell[CELLS];
	u64 poll[16], polled[16];   /* waits until one of these cells has changed more often */
};

struct thread {
	int slot, number;
	volatile u32 go;
	pthread_t real;
	u8 live, finished, detached, joined, held, inside, spurious, exceptions;
	u64 name, children, pipes, time, random, calls, quiet;
	struct op *pending, *doing;
	void *(*run)(void *);
	void *arg;
	u64 stack[512];
	u32 depth, wrote_size;
	u64 wrote_at, copy_to, copy_size, mapped;
	u8 *own; /* bytes that no other thread sees */
	u64 owns;
	u64 *bottom; /* of the stack */
	struct { u64 at, held; u32 since, limit; u8 cells; struct seen { u64 cell, changes; u8 given_back; } cell[16]; } rest;
};

/* A word of memory that threads touch: which parts, by whom. */
struct granule {
	u64 key, read_in, written_in;
	u8 unit, shared, visible, object, several, written;
	u16 first; /* thread, from 1 on */
};
#define GRANULES (1u << 20)

/* The file that the checker and the program share; the checker knows the places of its parts. */
struct shared {
	u64 mode, seed, max_steps, flags, prefix_len, names, log_len, outcome, code, slot, pc, addr, found, hears;
	u64 segment, used, visible_len, changes[8], frames[8], stopped, longest;
	char channel[64], waits[64]; /* functions: what threads may hear of each other by, where one waits */
	char pipes_by[64]; /* a function that is used on pipes and not controlled: the kernel has them all, then */
	u64 maps_length, wholes, spare[195]; /* `wholes`: more than a word was one step */
	u64 name[THREADS];
	u64 visible[4096];
	char text[4096], maps[1 << 20];
	u8 prefix[1 << 20];
	struct granule granule[GRANULES];
	u64 log[6 << 20];
};
#define SHARED_SIZE sizeof(struct shared)
#define FILE_AT 3000 /* in `text`: the file of an assertion */
enum { MODE_FIRST, MODE_NEXT, MODE_RANDOM, MODE_PCT };
enum { FLAG_OUTPUT = 1, FLAG_HELD = 2, FLAG_MAIN_ENDS = 4, FLAG_STOP = 8, FLAG_FAIR = 16, FLAG_CALLS = 32, FLAG_SPURIOUS = 64, FLAG_LEAKS = 128, FLAG_KERNEL = 256, FLAG_HANDLERS = 512 };

extern struct shared *shared;
extern int active;
extern __thread struct thread *me;
extern struct thread threads[THREADS];

/* Whether the program itself runs here, under control, and not the C library's own work for threads. */
#define ON (active && me && !me->finished && !me->inside)

/* Kinds of cells. */
enum { MEMORY = 1, OBJECT, FUTEX, FINISHED, WORLD, TAKES, UNIT, PIPES, INPUT };
static inline u64 cell_of(int tag, u64 at) { return (u64)tag << 56 | (at & 0xffffffffffffff); }

/* A class of waiters waits for a bit of the cell's masks, or for a unit of a semaphore. */
enum { UNITS = 2 };

enum { T_MUTEX = 1, T_COND, T_SEM, T_RW, T_BARRIER, T_ONCE, T_FUTEX, T_THREAD, T_MEMORY, T_SPIN, T_PIPE };

_Noreturn void finish(int outcome, u64 code, u64 pc);
_Noreturn void unsupported(const char *what, u64 pc);
_Noreturn void misuse(const char *what, u64 pc);
struct object *object(u64 cell, int type);
void forget(u64 cell);
void set_units(struct object *, u64 value);
void guard(struct op *, u64 cell, int class);
void touch(struct op *, u64 cell, int write);
void point(struct op *);
void disturbed(void);
void event(struct op *, u64 value);
void spawned(struct thread *);
struct thread *new_thread(void);
void *find_real(const char *name);
void find_copies(void);
void thread_main_setup(struct thread *);
void set_altstack(int slot);
int freed(u64 at);
int beyond(u64 at, u64 size);
extern u64 kept;
int in_heap(u64 at);
void seen_object(u64 at);
void mark_freed(u64 at, u64 size);
void free_block(u64 at, u64 size, u64 pc);
void block_again(u64 at, u64 size, u64 pc);
extern const char *channel_before_main;
extern int threads_before_main;
void input_was_read(void);
int alone(void);
void uncontrolled(const char *name);
void by_number(void);
void seeded(int file, u8 *bytes, u64 n);
void fill(void *to, const u8 *from, u64 n, u64 pc);
void look_at(u8 *to, const void *from, u64 n, u64 pc);
/* How many of `most` bytes from `at` on lie in the same word. */
INLINE u64 rest_of_word(u64 at, u64 most) { return 8 - (at & 7) < most ? 8 - (at & 7) : most; }
int watches(u64 pc);
extern const u8 text_end[256];
u64 look(volatile u8 *to, const volatile u8 *from, u64 most, const u8 *stop, int on, u64 pc);
void leave(volatile u8 *to, const volatile u8 *from, u64 n, int on, u64 pc);
void *move_by_words(void *to, const void *from, u64 n, u64 pc);
void *set_by_words(void *to, int byte, u64 n, u64 pc);
u8 *own(u64 size);
void access_cells(struct op *, u64 at, u64 size, int write);
void show_granules(void);
void put(u64 word);
enum { L_PENDING = 1, L_EVENT, L_SPAWN, L_ENDED, L_VALUE, L_ACCESS, L_CALLS, L_GIVEN };
/* For a program that follows a schedule by itself (`reproduce.c`). It counts its calls before which another thread may run,
   and gets the values that came from outside. */
int of_program(u64 pc);
void called(u64 pc);
void put_calls(void);
void put_value(void);
u64 given(u64 value);
void *grab(u64 size);
void end_thread(void);
extern int server_pid;

#define REAL(type, name) static type (*name##_)(); if (!name##_) name##_ = (type (*)())find_real(#name)
