// A pool of two threads that takes three jobs. Who submits a job gets a future, which the pool and its owner both hold: it counts its
// references, and whoever drops the last one frees it. When the pool is closed, the workers finish what is in the list, and then leave.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#define WORKERS 2
#define JOBS 3

// What will come of a job.
struct future {
  pthread_mutex_t lock;
  pthread_cond_t done;
  int references;
  bool ready;
  int value;
};

struct job {
  struct job *next;
  int (*work)(int);
  int argument;
  struct future *future;
};

struct pool {
  pthread_mutex_t lock;
  pthread_cond_t filled;
  struct job *first;
  struct job *last;
  bool closed;
  pthread_t threads[WORKERS];
};

static struct future *future_new(void) {
  struct future *f = malloc(sizeof *f);
  if (!f) abort();
  pthread_mutex_init(&f->lock, NULL);
  pthread_cond_init(&f->done, NULL);
  f->references = 2;
  f->ready = false;
  f->value = 0;
  return f;
}

static void future_drop(struct future *f) {
  pthread_mutex_lock(&f->lock);
  f->references--;
  bool last = f->references == 0;
  pthread_mutex_unlock(&f->lock);
  if (last) {
    pthread_cond_destroy(&f->done);
    pthread_mutex_destroy(&f->lock);
    free(f);
  }
}

static void future_set(struct future *f, int value) {
  pthread_mutex_lock(&f->lock);
  assert(!f->ready);
  f->value = value;
  f->ready = true;
  pthread_cond_signal(&f->done);
  pthread_mutex_unlock(&f->lock);
}

static int future_get(struct future *f) {
  pthread_mutex_lock(&f->lock);
  while (!f->ready) pthread_cond_wait(&f->done, &f->lock);
  int value = f->value;
  pthread_mutex_unlock(&f->lock);
  future_drop(f);
  return value;
}

// The next job, or none where the pool is closed and empty.
static struct job *pool_take(struct pool *p) {
  pthread_mutex_lock(&p->lock);
  while (!p->first && !p->closed) pthread_cond_wait(&p->filled, &p->lock);
  struct job *job = p->first;
  if (job) {
    p->first = job->next;
    if (!p->first) p->last = NULL;
  }
  pthread_mutex_unlock(&p->lock);
  return job;
}

static void *worker(void *argument) {
  struct pool *p = argument;
  for (;;) {
    struct job *job = pool_take(p);
    if (!job) return NULL;
    future_set(job->future, job->work(job->argument));
    future_drop(job->future);
    free(job);
  }
}

static void pool_open(struct pool *p) {
  pthread_mutex_init(&p->lock, NULL);
  pthread_cond_init(&p->filled, NULL);
  p->first = NULL;
  p->last = NULL;
  p->closed = false;
  for (int i = 0; i < WORKERS; i++) {
    if (pthread_create(&p->threads[i], NULL, worker, p)) abort();
  }
}

static struct future *pool_submit(struct pool *p, int (*work)(int), int argument) {
  struct job *job = malloc(sizeof *job);
  if (!job) abort();
  job->next = NULL;
  job->work = work;
  job->argument = argument;
  job->future = future_new();
  struct future *f = job->future;
  pthread_mutex_lock(&p->lock);
  assert(!p->closed);
  if (p->last) {
    p->last->next = job;
  } else {
    p->first = job;
  }
  p->last = job;
  pthread_cond_signal(&p->filled);
  pthread_mutex_unlock(&p->lock);
  return f;
}

static void pool_close(struct pool *p) {
  pthread_mutex_lock(&p->lock);
  p->closed = true;
  pthread_cond_broadcast(&p->filled);
  pthread_mutex_unlock(&p->lock);
  for (int i = 0; i < WORKERS; i++) pthread_join(p->threads[i], NULL);
  assert(!p->first);
  pthread_cond_destroy(&p->filled);
  pthread_mutex_destroy(&p->lock);
}

static int square(int n) { return n * n; }

static int twice(int n) { return n + n; }

int main(void) {
  struct pool pool;
  pool_open(&pool);
  struct future *futures[JOBS];
  for (int i = 0; i < JOBS; i++) {
    futures[i] = pool_submit(&pool, i % 2 ? twice : square, i + 1);
  }
  int sum = 0;
  for (int i = 0; i < JOBS; i++) sum += future_get(futures[i]);
  assert(sum == 1 + 4 + 9);
  pool_close(&pool);
  return 0;
}
