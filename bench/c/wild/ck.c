// A ring with one producer and one consumer, and a ticket lock around a counter.
#include <ck_ring.h>
#include <ck_spinlock.h>
#include <assert.h>
#include <pthread.h>

static ck_ring_t ring;
static ck_ring_buffer_t buffer[4];
static ck_spinlock_ticket_t lock = CK_SPINLOCK_TICKET_INITIALIZER;
static int numbers[2] = {1, 2}, count;

static void counted(void) {
    ck_spinlock_ticket_lock(&lock);
    count++;
    ck_spinlock_ticket_unlock(&lock);
}

static void *producer(void *arg) {
    (void)arg;
    for (int i = 0; i < 2; i++)
        assert(ck_ring_enqueue_spsc(&ring, buffer, &numbers[i]));
    counted();
    return NULL;
}

int main(void) {
    pthread_t thread;
    void *got;
    int next = 1;
    ck_ring_init(&ring, 4);
    pthread_create(&thread, NULL, producer, NULL);
    if (ck_ring_dequeue_spsc(&ring, buffer, &got))
        assert(*(int *)got == next++);
    counted();
    pthread_join(thread, NULL);
    while (ck_ring_dequeue_spsc(&ring, buffer, &got))
        assert(*(int *)got == next++);
    assert(next == 3 && count == 2);
    return 0;
}
