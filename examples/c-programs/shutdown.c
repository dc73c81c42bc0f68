// A server is told to stop by a signal thread. It may be waiting for requests then, or be just about to: the flag is set under the lock
// under which the server looks at it, so that no wake-up is lost.
//
// run: explore
// expect: safe
// run: verify --delays any
// expect: safe
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stddef.h>

struct server {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  int requests;
  int served;
  bool stopping;
};

static struct server server = {
    .lock = PTHREAD_MUTEX_INITIALIZER,
    .changed = PTHREAD_COND_INITIALIZER,
};
static sem_t interrupted;

/* Waits for something to do; whether there is something. */
static bool next(struct server *s) {
  while (s->requests == 0 && !s->stopping)
    pthread_cond_wait(&s->changed, &s->lock);
  if (s->requests == 0)
    return false;
  s->requests--;
  return true;
}

static void *serve(void *arg) {
  struct server *s = arg;
  pthread_mutex_lock(&s->lock);
  while (next(s))
    s->served++;
  pthread_mutex_unlock(&s->lock);
  return NULL;
}

static void request(struct server *s) {
  pthread_mutex_lock(&s->lock);
  s->requests++;
  pthread_cond_signal(&s->changed);
  pthread_mutex_unlock(&s->lock);
}

/* What a handler of signals may do is little: it posts a semaphore, and this thread does the rest. */
static void *stop(void *arg) {
  struct server *s = arg;
  sem_wait(&interrupted);
  pthread_mutex_lock(&s->lock);
  s->stopping = true;
  pthread_cond_signal(&s->changed);
  pthread_mutex_unlock(&s->lock);
  return NULL;
}

int main(void) {
  pthread_t worker, stopper;
  sem_init(&interrupted, 0, 0);
  pthread_create(&worker, NULL, serve, &server);
  pthread_create(&stopper, NULL, stop, &server);
  request(&server);
  sem_post(&interrupted);
  pthread_join(stopper, NULL);
  pthread_join(worker, NULL);
  assert(server.served == 1);
  return 0;
}
