// Dining philosophers, as in the tables of the McMini paper: each takes the fork at the left first, and so all may wait.
//
// run: explore
// expect: bug deadlock
// run: explore --strategy dpor
// expect: bug deadlock
// run: verify --delays 2
// expect: bug deadlock
#include <pthread.h>

#define PHILOSOPHERS 3

static pthread_mutex_t forks[PHILOSOPHERS];

static void *dine(void *arg) {
  int seat = (int)(long)arg;
  pthread_mutex_t *left = &forks[seat];
  pthread_mutex_t *right = &forks[(seat + 1) % PHILOSOPHERS];
  // BUG: the last one has to begin at the right.
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
