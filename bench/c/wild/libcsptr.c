// Two threads hold a shared pointer; whoever is last runs the destructor, once.
#include <csptr/smart_ptr.h>
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int destroyed;

static void destroy(void *value, void *meta) {
    (void)value;
    (void)meta;
    atomic_fetch_add(&destroyed, 1);
}

static void *holder(void *arg) {
    int *value = arg;
    assert(*value == 42);
    sfree(value);
    return NULL;
}

int main(void) {
    pthread_t thread;
    int *value = smalloc(.size = sizeof(int), .kind = SHARED, .dtor = destroy);
    *value = 42;
    int *other = sref(value);
    pthread_create(&thread, NULL, holder, other);
    sfree(value);
    pthread_join(thread, NULL);
    assert(destroyed == 1);
    return 0;
}
