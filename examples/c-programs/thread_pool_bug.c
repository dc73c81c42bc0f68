// A pool of threads that takes jobs from a list. A thread that submits a job allocates it, the one that has run it frees it. When the pool is
// closed, only one worker is woken: the other one sleeps for ever, and so does `main`, which waits for it.
//
// run: explore
// expect: bug deadlock
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#define WORKERS 2
#define JOBS 2

struct job {
  void (*run)(int);
  int argument;
  struct job *next;
};

struct pool {
  pthread_mutex_t lock;
  pthread_cond_t wake;
  struct job *first, *last;
  bool closed;
  pthread_t workers[WORKERS];
};

static struct pool pool;
static int done[JOBS];

static void push(struct pool *p, struct job *job) {
  job->next = NULL;
  if (p->last)
    p->last->next = job;
  else
    p->first = job;
  p->last = job;
}

static struct job *pop(struct pool *p) {
  struct job *job = p->first;
  p->first = job->next;
  if (!p->first)
    p->last = NULL;
  return job;
}

static void *work(void *arg) {
  struct pool *p = arg;
  for (;;) {
    pthread_mutex_lock(&p->lock);
    while (!p->first && !p->closed)
      pthread_cond_wait(&p->wake, &p->lock);
    if (!p->first) {
      pthread_mutex_unlock(&p->lock);
      return NULL;
    }
    struct job *job = pop(p);
    pthread_mutex_unlock(&p->lock);
    job->run(job->argument);
    free(job);
  }
}

static void start(struct pool *p) {
  pthread_mutex_init(&p->lock, NULL);
  pthread_cond_init(&p->wake, NULL);
  for (int i = 0; i < WORKERS; i++)
    pthread_create(&p->workers[i], NULL, work, p);
}

static void submit(struct pool *p, void (*run)(int), int argument) {
  struct job *job = malloc(sizeof *job);
  job->run = run;
  job->argument = argument;
  pthread_mutex_lock(&p->lock);
  push(p, job);
  pthread_cond_signal(&p->wake);
  pthread_mutex_unlock(&p->lock);
}

static void finish(struct pool *p) {
  pthread_mutex_lock(&p->lock);
  p->closed = true;
  pthread_cond_signal(&p->wake);
  pthread_mutex_unlock(&p->lock);
  for (int i = 0; i < WORKERS; i++)
    pthread_join(p->workers[i], NULL);
  pthread_cond_destroy(&p->wake);
  pthread_mutex_destroy(&p->lock);
}

static void note(int which) { done[which]++; }

int main(void) {
  start(&pool);
  for (int i = 0; i < JOBS; i++)
    submit(&pool, note, i);
  finish(&pool);
  for (int i = 0; i < JOBS; i++)
    assert(done[i] == 1);
  return 0;
}
