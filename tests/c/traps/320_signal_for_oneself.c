// verdict: safe
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

// A signal for the process runs its handler. There are no children.
static volatile sig_atomic_t came;
static void on(int number) { came = number; }

int main(void) {
    signal(SIGUSR1, on);
    assert(!kill(getpid(), 0) && !came);
    assert(!kill(getpid(), SIGUSR1) && came == SIGUSR1);
    errno = 0;
    assert(kill(getpid(), 99) == -1 && errno == EINVAL);
    int status;
    errno = 0;
    assert(wait(&status) == -1 && errno == ECHILD && waitpid(-1, NULL, WNOHANG) == -1);
    sigset_t set, all;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    assert(sigismember(&set, SIGINT) == 1 && !sigismember(&set, SIGTERM) && sigismember(&set, 99) == -1);
    sigfillset(&all);
    sigdelset(&all, SIGINT);
    assert(!sigismember(&all, SIGINT) && sigismember(&all, SIGTERM) == 1 && sigismember(&all, SIGRTMAX) == 1);
    assert(!sigprocmask(SIG_BLOCK, &set, NULL) && !sigprocmask(SIG_UNBLOCK, &set, &all));
    assert(sigprocmask(9, &set, NULL) == -1);
    stack_t mine = {.ss_sp = malloc(SIGSTKSZ), .ss_size = SIGSTKSZ}, old;
    assert(!sigaltstack(&mine, &old) && old.ss_flags == SS_DISABLE);
    assert(!sigaltstack(NULL, &old) && old.ss_sp == mine.ss_sp);
    kill(getpid(), SIGTERM);
    assert(0);
}
