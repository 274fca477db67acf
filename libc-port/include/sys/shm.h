/* SPDX-License-Identifier: MIT */
/* System V shared memory (shmop(2)): all fail with ENOSYS; shm_open(3) works. */
#ifndef _SYS_SHM_H
#define _SYS_SHM_H

#include <sys/ipc.h>
#include <time.h>

__BEGIN_DECLS

#define SHM_RDONLY 010000
#define SHM_RND 020000
#define SHMLBA 4096

typedef unsigned long shmatt_t;

struct shmid_ds {
	struct ipc_perm shm_perm;
	size_t shm_segsz;
	time_t shm_atime;
	time_t shm_dtime;
	time_t shm_ctime;
	pid_t shm_cpid;
	pid_t shm_lpid;
	shmatt_t shm_nattch;
	unsigned long __reserved[2];
};

int shmget(key_t __key, size_t __size, int __flags);
int shmctl(int __id, int __command, struct shmid_ds *__buf);
void *shmat(int __id, const void *__addr, int __flags);
int shmdt(const void *__addr);

__END_DECLS

#endif
