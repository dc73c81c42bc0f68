// The philosophers of philosophers_bug.c, repaired: the last one begins with the fork at the right.
//
// run: explore
// expect: safe
// run: explore --strategy dpor
// expect: safe
#include <pthread.h>

#define PHILOSOPHERS 3

static pthread_mutex_t forks[PHILOSOPHERS];

static void *dine(void *arg) {
  int seat = (int)(long)arg;
  pthread_mutex_t *left = &forks[seat];
  pthread_mutex_t *right = &forks[(seat + 1) % PHILOSOPHERS];
  if (seat == PHILOSOPHERS - 1) {
    pthread_mutex_t *other = left;
    left = right;
    right = other;
  }
  pthread_mutex_lock(left);
  pthread_mutex_lock(right);
  pthread_mutex_unlock(right);
  pthread_mutex_unlock(left);
  return NULL;
}

int main(void) {
  pthread_t threads[PHILOSOPHERS];
  for (int i = 0; i < PHILOSOPHERS; i++)
    pthread_mutex_init(&forks[i], NULL);
  for (int i = 0; i < PHILOSOPHERS; i++)
    pthread_create(&threads[i], NULL, dine, (void *)(long)i);
  for (int i = 0; i < PHILOSOPHERS; i++)
    pthread_join(threads[i], NULL);
  return 0;
}
