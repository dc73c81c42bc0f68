/* POSIX sys/wait.h */
#ifndef _SYS_WAIT_H
#define _SYS_WAIT_H
#include <signal.h>
#include <sys/types.h>
#define WNOHANG 1
#define WUNTRACED 2
#define WSTOPPED 2
#define WEXITED 4
#define WCONTINUED 8
#define WNOWAIT 0x1000000
#define WEXITSTATUS(status) (((status) >> 8) & 255)
#define WTERMSIG(status) ((status) & 127)
#define WSTOPSIG(status) WEXITSTATUS(status)
#define WIFEXITED(status) (WTERMSIG(status) == 0)
#define WIFSIGNALED(status) (WTERMSIG(status) != 0 && WTERMSIG(status) != 127)
#define WIFSTOPPED(status) (((status) & 255) == 127)
#define WIFCONTINUED(status) ((status) == 0xffff)
#define WCOREDUMP(status) ((status) & 128)
pid_t wait(int *);
pid_t waitpid(pid_t, int *, int);
#endif
