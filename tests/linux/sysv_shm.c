/* SPDX-License-Identifier: MIT */
/* natively: root */
/* Shared memory of System V: by key and without one, between processes, attached and detached in all ways, and what is
 * told of it. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/wait.h>
#include <unistd.h>

#define PAGE 4096

static int key; /* that nobody else has */

static const char *name_of(int error)
{
	return error ? strerrorname_np(error) : "";
}

#define SAY(call) \
	do { \
		errno = 0; \
		long result = (long)(call); \
		printf("%s: %s %s\n", #call, result < 0 ? "-1" : "done", name_of(errno)); \
	} while (0)

static void show(int id)
{
	struct shmid_ds told;
	if (shmctl(id, IPC_STAT, &told)) {
		printf("gone: %s\n", name_of(errno));
		return;
	}
	printf("%zu bytes, mode %o, %lu attached, key %d, creator %d, last %d, times %d %d %d\n", told.shm_segsz,
	       told.shm_perm.mode, (unsigned long)told.shm_nattch, told.shm_perm.__key == key,
	       told.shm_cpid == getpid(), told.shm_lpid == getpid(), told.shm_atime != 0, told.shm_dtime != 0,
	       told.shm_ctime != 0);
}

static void by_key(void)
{
	int id = shmget(key, 5000, IPC_CREAT | IPC_EXCL | 0640);
	SAY(shmget(key, 5000, IPC_CREAT | IPC_EXCL | 0600));
	SAY(shmget(key, 6000, 0));
	SAY(shmget(key, 6000, IPC_CREAT | 0600));
	printf("the same: %d %d\n", shmget(key, 0, 0) == id, shmget(key, 5000, IPC_CREAT) == id);
	show(id);
	SAY(shmctl(id, IPC_RMID, NULL));
	SAY(shmget(key, 0, 0));
	SAY(shmctl(id, IPC_RMID, NULL));
	SAY(shmat(id, NULL, 0));
	SAY(shmget(IPC_PRIVATE, 0, 0600));
	SAY(shmctl(id, 99, NULL));
	SAY(shmget(key + 1, 1, 0));
}

static void between_processes(void)
{
	int id = shmget(IPC_PRIVATE, 3 * PAGE - 1, 0600), status;
	int *at = shmat(id, NULL, 0);
	at[0] = 1;
	at[3 * PAGE / sizeof(int) - 1] = 2;
	show(id);
	if (!fork()) {
		int *again = shmat(id, NULL, 0);
		struct shmid_ds told;
		shmctl(id, IPC_STAT, &told);
		printf("child: %lu attached\n", (unsigned long)told.shm_nattch);
		fflush(stdout);
		again[1] = at[0] + 10;
		at[2] = again[3 * PAGE / sizeof(int) - 1] + 10;
		_exit(0);
	}
	wait(&status);
	printf("%d %d\n", at[1], at[2]);
	show(id);
	SAY(shmctl(id, IPC_RMID, NULL));
	show(id);
	const int *second = shmat(id, NULL, SHM_RDONLY);
	printf("%d, apart: %d\n", second[1], second != at);
	if (!fork()) {
		*(volatile int *)second = 1;
		_exit(0);
	}
	wait(&status);
	printf("read-only: signal %d\n", WTERMSIG(status));
	SAY(shmdt(at));
	SAY(shmdt(at));
	show(id);
	SAY(shmdt((char *)second + PAGE));
	SAY(shmdt(second));
	show(id);
}

static void places(void)
{
	int id = shmget(IPC_PRIVATE, 2 * PAGE, 0600);
	char *room = mmap(NULL, 4 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	strcpy(room, "room");
	SAY(shmat(id, room, 0));
	SAY(shmat(id, room + 1, SHM_REMAP));
	SAY(shmat(id, NULL, SHM_REMAP));
	printf("in its place: %d\n", shmat(id, room + 1, SHM_REMAP | SHM_RND) == room);
	printf("empty: %d\n", !room[0]);
	munmap(room + 2 * PAGE, 2 * PAGE);
	printf("behind: %d\n", shmat(id, room + 2 * PAGE + 5, SHM_RND) == room + 2 * PAGE);
	strcpy(room, "seen");
	printf("%s\n", room + 2 * PAGE);
	show(id);
	SAY(mprotect(room + PAGE, PAGE, PROT_READ));
	show(id);
	SAY(shmdt(room));
	show(id);
	SAY(shmctl(id, SHM_LOCK, NULL));
	show(id);
	SAY(shmctl(id, SHM_UNLOCK, NULL));
	struct shmid_ds told;
	shmctl(id, IPC_STAT, &told);
	told.shm_perm.mode = 0123;
	SAY(shmctl(id, IPC_SET, &told));
	SAY(shmctl(id, IPC_RMID, NULL));
	show(id);
	munmap(room + 2 * PAGE, 2 * PAGE);
	show(id);
}

int main(void)
{
	key = getpid() + 0x100000;
	setvbuf(stdout, NULL, _IONBF, 0);
	by_key();
	between_processes();
	places();
	return 0;
}
