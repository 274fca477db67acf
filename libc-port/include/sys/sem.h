/* SPDX-License-Identifier: MIT */
/* System V semaphores (semop(2)): all fail with ENOSYS. */
#ifndef _SYS_SEM_H
#define _SYS_SEM_H

#include <sys/ipc.h>
#include <time.h>

__BEGIN_DECLS

#define SEM_UNDO 0x1000
#define GETPID 11
#define GETVAL 12
#define GETALL 13
#define GETNCNT 14
#define GETZCNT 15
#define SETVAL 16
#define SETALL 17

struct semid_ds {
	struct ipc_perm sem_perm;
	time_t sem_otime;
	unsigned long __reserved0;
	time_t sem_ctime;
	unsigned long __reserved1;
	unsigned long sem_nsems;
	unsigned long __reserved2[2];
};

struct sembuf {
	unsigned short sem_num;
	short sem_op;
	short sem_flg;
};

int semget(key_t __key, int __count, int __flags);
int semctl(int __id, int __number, int __command, ...);
int semop(int __id, struct sembuf *__operations, size_t __count);

__END_DECLS

#endif
