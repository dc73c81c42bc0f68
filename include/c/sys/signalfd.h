/* Linux sys/signalfd.h */
#ifndef _SYS_SIGNALFD_H
#define _SYS_SIGNALFD_H
#include <signal.h>
#include <stdint.h>
struct signalfd_siginfo { uint32_t ssi_signo; int32_t ssi_errno, ssi_code; uint32_t ssi_pid, ssi_uid; int32_t ssi_fd; unsigned char __rest[104]; };
#define SFD_NONBLOCK 04000
#define SFD_CLOEXEC 02000000
int signalfd(int, const sigset_t *, int);
#endif
