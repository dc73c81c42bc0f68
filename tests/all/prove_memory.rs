//! Data races in memory beyond the bounds, and before errors that were not asked about: such a program is never proved.

use crate::common::race_proofs::proof_for_many;
use dbverify::answer::Verdict;

/// Programs that do not race, whatever the numbers are.
const SAFE: [(&str, &str); 3] = [
    (
        "a thread that compares addresses of its own variables",
        "pthread_key_t key; int x; void *worker(void *a) { int own, other; pthread_setspecific(key, &other); \
         pthread_setspecific(key, &own); if (pthread_getspecific(key) == &own) pthread_mutex_lock(&m); x++; \
         if (pthread_getspecific(key) == &own) pthread_mutex_unlock(&m); return 0; } \
         int main(void) { pthread_key_create(&key, 0); MANY return 0; }",
    ),
    (
        "handles in an array as long as there are threads, which compare addresses of their own variables",
        "pthread_key_t key; int x; void *worker(void *a) { int own, other; pthread_setspecific(key, &other); \
         pthread_setspecific(key, &own); if (pthread_getspecific(key) == &own) pthread_mutex_lock(&m); x++; \
         if (pthread_getspecific(key) == &own) pthread_mutex_unlock(&m); return 0; } \
         int main(void) { pthread_key_create(&key, 0); int n = __VERIFIER_nondet_int(); if (n < 0) abort(); \
         pthread_t *t = malloc(n * sizeof *t); for (int i = 0; i < n; i++) pthread_create(&t[i], 0, worker, 0); \
         for (int i = 0; i < n; i++) pthread_join(t[i], 0); free(t); return 0; }",
    ),
    (
        "an error in each thread, and no race before it",
        "int x; int *p; void *worker(void *a) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); *p = 1; return 0; } \
         int main(void) { MANY return 0; }",
    ),
];

/// Programs that race, but only in memory beyond the bounds, or just before an error.
const RACING: [(&str, &str); 14] = [
    (
        "an element behind those that are looked at",
        "int *all; void *worker(void *a) { all[50] = 1; return 0; } \
         int main(void) { int size = __VERIFIER_nondet_int(); if (size < 100) return 0; all = malloc(size * sizeof(int)); MANY }",
    ),
    (
        "an object behind those that are looked at",
        "int *all; void *worker(void *a) { *all = 1; return 0; } \
         int main(void) { for (int i = 0; i < 20; i++) all = malloc(sizeof(int)); MANY }",
    ),
    (
        "a member, once by a pointer to it",
        "struct s { int a; long b; int c; }; struct s *all; int *inner; void *worker(void *a) { all[30].c = 1; *inner = 2; return 0; } \
         int main(void) { int size = __VERIFIER_nondet_int(); if (size < 100) return 0; all = malloc(size * sizeof(struct s)); \
         inner = &all[30].c; MANY }",
    ),
    (
        "a value that was written behind the bound",
        "int x; void *worker(void *a) { x = 1; return 0; } \
         int main(void) { int size = __VERIFIER_nondet_int(); if (size < 100) return 0; int *all = malloc(size * sizeof(int)); \
         all[20] = 7; all[3] = 0; if (all[20] == 7) { MANY } return 0; }",
    ),
    (
        "ten values in one step",
        "int x; void *worker(void *a) { x = 1; return 0; } \
         int main(void) { int size = __VERIFIER_nondet_int(); if (size < 100) return 0; int *all = malloc(size * sizeof(int)); \
         for (int i = 0; i < 10; i++) all[i] = i; int s = 1; for (int i = 0; i < 10; i++) if (all[i] != i) s = 0; \
         if (s) { MANY } return 0; }",
    ),
    (
        "addresses of many objects that differ",
        "int x; void *worker(void *a) { x = 1; return 0; } \
         int main(void) { int *first = malloc(4), *next; int s = 1; for (int i = 0; i < 12; i++) { next = malloc(4); \
         if (next == first) s = 0; } if (s) { MANY } return 0; }",
    ),
    (
        "what comes after memory behind the bound is freed",
        "int x; void *worker(void *a) { x = 1; return 0; } \
         int main(void) { int *p; for (int i = 0; i < 20; i++) p = malloc(4); free(p); MANY }",
    ),
    (
        "a lock in each object",
        "struct s { pthread_mutex_t own; int v; }; struct s *all; void *worker(void *a) { \
         pthread_mutex_lock(&all[20].own); all[21].v++; pthread_mutex_unlock(&all[20].own); return 0; } \
         int main(void) { int size = __VERIFIER_nondet_int(); if (size < 100) return 0; all = malloc(size * sizeof(struct s)); \
         for (int i = 0; i < size; i++) pthread_mutex_init(&all[i].own, 0); MANY all[21].v = 1; return 0; }",
    ),
    (
        "an object of another type",
        "void *all; void *worker(void *a) { ((long *)all)[9] = 1; return 0; } \
         int main(void) { int size = __VERIFIER_nondet_int(); if (size < 100) return 0; all = malloc(size * sizeof(long)); \
         ((long *)all)[0] = 1; MANY }",
    ),
    (
        "what a thread passes on before its error",
        "#include <stdatomic.h>\natomic_int done; int x; int *p; void *worker(void *a) { if (done) x++; return 0; } \
         void *wrong(void *a) { done = 1; *p = 1; return 0; } \
         int main(void) { pthread_t w; pthread_create(&w, 0, wrong, 0); MANY return 0; }",
    ),
    (
        "a race of the error itself",
        "int *p; int x; void *worker(void *a) { p = 0; *p = 1; return 0; } int main(void) { p = &x; MANY return 0; }",
    ),
    (
        "an address that another thread has",
        "pthread_key_t key; int x; _Atomic(void *) seen; void *worker(void *a) { int own; pthread_setspecific(key, &own); \
         void *before = seen; seen = pthread_getspecific(key); if (before != &own) x++; return 0; } \
         int main(void) { pthread_key_create(&key, 0); MANY return 0; }",
    ),
    (
        "an address that a destructor gives away",
        "pthread_key_t key; int x; _Atomic(void *) seen; void gives(void *p) { seen = p; } void *worker(void *a) { int own; \
         pthread_setspecific(key, &own); void *before = seen; if (before && before != &own) x++; return 0; } \
         int main(void) { pthread_key_create(&key, gives); MANY return 0; }",
    ),
    (
        "a variable of each thread that is reached by its key and by name",
        "pthread_key_t key; int *given; void *worker(void *a) { int own; pthread_setspecific(key, &own); given = &own; \
         *(int *)pthread_getspecific(key) = 1; return 0; } \
         int main(void) { pthread_key_create(&key, 0); MANY return 0; }",
    ),
];

#[test]
fn what_does_not_race_in_memory_without_bounds_is_proved() {
    for (what, text) in SAFE {
        let found = proof_for_many(text, 90);
        assert_eq!(found.verdict, Verdict::Proved, "{what}: {}", found.summary);
    }
}

#[test]
fn what_races_beyond_the_bounds_or_before_an_error_is_not_proved() {
    for (what, text) in RACING {
        let found = proof_for_many(text, 1);
        assert_ne!(found.verdict, Verdict::Proved, "{what}");
    }
}

#[test]
fn a_proof_says_where_errors_that_were_not_asked_about_end_executions() {
    let (_, text) = SAFE[2];
    let found = proof_for_many(text, 90);
    let said = |note: &answer::Note| {
        note.message
            .contains("an execution ends at an error that was not asked about")
    };
    assert!(found.notes.iter().any(said), "{:?}", found.notes);
    assert!(
        found
            .summary
            .starts_with("nothing races as long as nothing goes wrong"),
        "{}",
        found.summary
    );
    let found = proof_for_many(
        "int x; void *worker(void *a) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return 0; } \
         int main(void) { pthread_t t; pthread_create(&t, 0, worker, 0); return 0; }",
        90,
    );
    assert!(!found.notes.iter().any(said), "{:?}", found.notes);
}
