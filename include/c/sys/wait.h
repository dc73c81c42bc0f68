/* POSIX sys/wait.h */
#ifndef _SYS_WAIT_H
#define _SYS_WAIT_H
#include <sys/types.h>
#define WNOHANG 1
#define WUNTRACED 2
#define WEXITSTATUS(status) (((status) >> 8) & 255)
#define WIFEXITED(status) (((status) & 127) == 0)
#define WIFSIGNALED(status) (((status) & 127) != 0)
#define WTERMSIG(status) ((status) & 127)
pid_t wait(int *);
pid_t waitpid(pid_t, int *, int);
#endif
