/* POSIX sys/shm.h */
#ifndef _SYS_SHM_H
#define _SYS_SHM_H
#include <sys/ipc.h>
struct shmid_ds { struct ipc_perm shm_perm; size_t shm_segsz; unsigned long shm_nattch; };
void *shmat(int, const void *, int);
int shmctl(int, int, struct shmid_ds *);
int shmdt(const void *);
int shmget(key_t, size_t, int);
#endif
