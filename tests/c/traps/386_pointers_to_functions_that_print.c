// verdict: safe
// options: --args more
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static int (*out)(const char *, ...) = printf;
static int silent(const char *format, ...) { return 0; }

static void *work(void *arg) {
    out("%d %s\n", 3, "x");
    return arg;
}

int main(int argc, char **argv) {
    pthread_t thread;
    if (argc > 1) out = silent;
    pthread_create(&thread, 0, work, 0);
    work(0);
    pthread_join(thread, 0);
    char text[16];
    int (*into)(char *, size_t, const char *, ...) = snprintf;
    assert(into(text, sizeof text, "%d-%s", 5, "ab") == 4);
    assert(!strcmp(text, "5-ab"));
    int (*to)(FILE *, const char *, ...) = fprintf;
    to(stderr, "%5.2f|%c\n", 2.5, 'x');
    return 0;
}
