/* POSIX sys/sem.h */
#ifndef _SYS_SEM_H
#define _SYS_SEM_H
#include <sys/ipc.h>
struct sembuf { unsigned short sem_num; short sem_op, sem_flg; };
struct semid_ds { struct ipc_perm sem_perm; time_t sem_otime, sem_ctime; unsigned long sem_nsems; };
#define SEM_UNDO 0x1000
#define GETVAL 12
#define SETVAL 16
#define SETALL 17
int semctl(int, int, int, ...);
int semget(key_t, int, int);
int semop(int, struct sembuf *, size_t);
#endif
