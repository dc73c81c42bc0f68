// Nine threads write the same two numbers; one of them stops between them before any other has begun, and the reader looks just then.
// Delays would have to postpone all the others. Executions with priorities find it. So do states, where threads that do the same are
// exchanged.
// verdict: bug assertion
// options: --verify --delays any
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int a, b;

void *writes(void *unused) {
    a = 1;
    b = -1;
    return NULL;
}

void *looks(void *unused) {
    assert((a == 0 && b == 0) || (a == 1 && b == -1));
    return NULL;
}

int main(void) {
    pthread_t writers[9], reader;
    for (int i = 0; i < 9; i++) pthread_create(&writers[i], NULL, writes, NULL);
    pthread_create(&reader, NULL, looks, NULL);
    for (int i = 0; i < 9; i++) pthread_join(writers[i], NULL);
    pthread_join(reader, NULL);
    return 0;
}
