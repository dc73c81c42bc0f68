// The driver of driver_bug.c, repaired: the request looks at the flag and counts itself in while it holds the lock.
//
// run: explore
// expect: safe
// run: verify --delays 1
// expect: safe
// run: explore --strategy dpor
// expect: safe
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t idle = PTHREAD_COND_INITIALIZER;
static int pending = 1;
static bool stopping;
static bool stopped;

static void leave(void) {
  pthread_mutex_lock(&lock);
  pending--;
  if (pending == 0)
    pthread_cond_signal(&idle);
  pthread_mutex_unlock(&lock);
}

static void *request(void *unused) {
  pthread_mutex_lock(&lock);
  bool late = stopping;
  if (!late)
    pending++;
  pthread_mutex_unlock(&lock);
  if (late)
    return NULL;
  assert(!stopped);
  leave();
  return NULL;
}

static void stop(void) {
  pthread_mutex_lock(&lock);
  stopping = true;
  pthread_mutex_unlock(&lock);
  leave();
  pthread_mutex_lock(&lock);
  while (pending > 0)
    pthread_cond_wait(&idle, &lock);
  pthread_mutex_unlock(&lock);
  stopped = true;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, request, NULL);
  stop();
  pthread_join(thread, NULL);
  return 0;
}
