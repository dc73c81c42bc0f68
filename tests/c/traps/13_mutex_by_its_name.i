// In preprocessed text a mutex is a union of the host's library: it is known by its name.
// verdict: safe
typedef struct __pthread_internal_list { struct __pthread_internal_list *p, *n; } __pthread_list_t;
typedef union {
  struct { int lock; unsigned count; int owner; unsigned users; int kind; short a, b; __pthread_list_t list; } data;
  char size[40];
  long align;
} pthread_mutex_t;
typedef unsigned long pthread_t;
typedef union { char size[56]; long align; } pthread_attr_t;
extern int pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
extern int pthread_join(pthread_t, void **);
extern int pthread_mutex_lock(pthread_mutex_t *);
extern int pthread_mutex_unlock(pthread_mutex_t *);
extern void reach_error(void);
pthread_mutex_t m = { { 0, 0, 0, 0, 0, 0, 0, { 0, 0 } } };
int x;
void *add(void *arg) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return 0; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, add, 0);
  pthread_create(&b, 0, add, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  if (x != 2) reach_error();
  return 0;
}
