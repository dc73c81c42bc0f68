// A pool: four workers wait for jobs on a condition. Whoever finds that there are none left goes home.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#define WORKERS 4

struct job {
  int number;
  struct job *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t wake = PTHREAD_COND_INITIALIZER;
static struct job *jobs;
static bool closed;
static int done;

static void *work(void *arg) {
  (void)arg;
  pthread_mutex_lock(&lock);
  while (!jobs && !closed)
    pthread_cond_wait(&wake, &lock);
  struct job *job = jobs;
  if (job) {
    jobs = job->next;
    done += job->number;
  }
  pthread_mutex_unlock(&lock);
  free(job);
  return 0;
}

int main(void) {
  pthread_t t[WORKERS];
  for (int i = 0; i < WORKERS; i++)
    pthread_create(&t[i], 0, work, 0);
  struct job *job = malloc(sizeof *job);
  job->number = 1;
  job->next = 0;
  pthread_mutex_lock(&lock);
  jobs = job;
  closed = true;
  pthread_cond_broadcast(&wake);
  pthread_mutex_unlock(&lock);
  for (int i = 0; i < WORKERS; i++)
    pthread_join(t[i], 0);
  assert(done == 1);
  return 0;
}
