/* SPDX-License-Identifier: MIT */
/* Communication between processes: shared memory objects, which are files in /dev/shm. The other kinds are not
 * supported. */
#include "abi/linux.h" /* before <signal.h> makes si_pid and its like macros */

#include <fcntl.h>
#include <limits.h>
#include <mqueue.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libc-port/src/kernel.h"

key_t ftok(const char *path, int project)
{
	struct stat st;
	if (stat(path, &st) < 0)
		return -1;
	return (key_t)((st.st_ino & 0xffff) | (st.st_dev & 0xff) << 16 | ((unsigned)project & 0xffU) << 24);
}

/* Makes the path of a shared memory object's file. Returns 0 or -1. */
static int shm_path(const char *name, char *path)
{
	name += strspn(name, "/");
	size_t length = strlen(name);
	if (!length || strchr(name, '/') || !strcmp(name, ".") || !strcmp(name, ".."))
		return kernel_refuse(EINVAL);
	if (length >= NAME_MAX)
		return kernel_refuse(ENAMETOOLONG);
	sprintf(path, "/dev/shm/%s", name);
	return 0;
}

int shm_open(const char *name, int flags, mode_t mode)
{
	char path[NAME_MAX + 16];
	if (shm_path(name, path) < 0)
		return -1;
	if (flags & O_CREAT && mkdir("/dev/shm", 01777) < 0 && errno != EEXIST)
		return -1;
	return open(path, flags | O_NOFOLLOW | O_CLOEXEC, mode);
}

int shm_unlink(const char *name)
{
	char path[NAME_MAX + 16];
	if (shm_path(name, path) < 0)
		return kernel_refuse(ENOENT);
	return unlink(path);
}

#define ABSENT(type, name, ...) \
	type name(__VA_ARGS__) \
	{ \
		return (type)kernel_refuse(ENOSYS); \
	}

#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wint-to-pointer-cast"
ABSENT(mqd_t, mq_open, const char *name, int flags, ...)
ABSENT(int, mq_close, mqd_t queue)
ABSENT(int, mq_unlink, const char *name)
ABSENT(int, mq_getattr, mqd_t queue, struct mq_attr *attr)
ABSENT(int, mq_setattr, mqd_t queue, const struct mq_attr *restrict attr, struct mq_attr *restrict old)
ABSENT(int, mq_notify, mqd_t queue, const struct sigevent *event)
ABSENT(int, mq_send, mqd_t queue, const char *message, size_t size, unsigned priority)
ABSENT(int, mq_timedsend, mqd_t queue, const char *message, size_t size, unsigned priority,
       const struct timespec *deadline)
ABSENT(ssize_t, mq_receive, mqd_t queue, char *message, size_t size, unsigned *priority)
ABSENT(ssize_t, mq_timedreceive, mqd_t queue, char *restrict message, size_t size, unsigned *restrict priority,
       const struct timespec *restrict deadline)
ABSENT(int, msgget, key_t key, int flags)
ABSENT(int, msgctl, int id, int command, struct msqid_ds *buf)
ABSENT(int, msgsnd, int id, const void *message, size_t size, int flags)
ABSENT(ssize_t, msgrcv, int id, void *message, size_t size, long type, int flags)
ABSENT(int, semget, key_t key, int count, int flags)
ABSENT(int, semctl, int id, int number, int command, ...)
ABSENT(int, semop, int id, struct sembuf *operations, size_t count)
ABSENT(int, shmget, key_t key, size_t size, int flags)
ABSENT(int, shmctl, int id, int command, struct shmid_ds *buf)
ABSENT(void *, shmat, int id, const void *addr, int flags)
ABSENT(int, shmdt, const void *addr)
