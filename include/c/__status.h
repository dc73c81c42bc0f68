/* How a child ended, and how one waits for it */
#ifndef __STATUS_H
#define __STATUS_H
#define WNOHANG 1
#define WUNTRACED 2
#define WEXITSTATUS(status) (((status) >> 8) & 255)
#define WTERMSIG(status) ((status) & 127)
#define WSTOPSIG(status) WEXITSTATUS(status)
#define WIFEXITED(status) (WTERMSIG(status) == 0)
#define WIFSIGNALED(status) (WTERMSIG(status) != 0 && WTERMSIG(status) != 127)
#define WIFSTOPPED(status) (((status) & 255) == 127)
#endif
