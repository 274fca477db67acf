/* SPDX-License-Identifier: MIT */
/* natively: root */
/* Permissions of System V objects: what the owner, another user, a member of the group, and processes with some of
 * root's capabilities may do with queues, sets and segments of several modes. */
#include <grp.h>
#include <stdlib.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/guest/say.h"

#define NOBODY 65534
#define CAP_IPC_OWNER 15
#define CAP_SYS_ADMIN 21

#ifndef MSG_STAT_ANY
#define MSG_STAT_ANY 13
#endif
#ifndef SEM_STAT_ANY
#define SEM_STAT_ANY 20
#endif
#ifndef SHM_STAT_ANY
#define SHM_STAT_ANY 15
#endif

static key_t key;
static int queue, set, segment;

static void make_objects(int mode)
{
	queue = msgget(key, IPC_CREAT | IPC_EXCL | mode);
	set = semget(key, 2, IPC_CREAT | IPC_EXCL | mode);
	segment = shmget(key, 4096, IPC_CREAT | IPC_EXCL | mode);
	if (queue < 0 || set < 0 || segment < 0)
		perror("make_objects");
}

static void remove_objects(void)
{
	SAY(msgctl(queue, IPC_RMID, NULL));
	SAY(semctl(set, 0, IPC_RMID));
	SAY(shmctl(segment, IPC_RMID, NULL));
}

static void look_up(void)
{
	SAY_OK(msgget(key, 0));
	SAY_OK(msgget(key, 0400));
	SAY_OK(msgget(key, 0006));
	SAY_OK(msgget(key, IPC_CREAT | 0600));
	SAY_OK(msgget(key, IPC_CREAT | IPC_EXCL | 0600));
	SAY_OK(semget(key, 0, 0));
	SAY_OK(semget(key, 2, 0444));
	SAY_OK(semget(key, 3, 0666));
	SAY_OK(semget(key, 1, 0200));
	SAY_OK(shmget(key, 0, 0));
	SAY_OK(shmget(key, 4096, 0400));
	SAY_OK(shmget(key, 4097, 0600));
	SAY_OK(shmget(key, 1, 0222));
}

static void operate(void)
{
	struct {
		long type;
		char text[8];
	} message = {1, "text"};
	unsigned short values[2] = {1, 1};
	SAY(msgsnd(queue, &message, 4, IPC_NOWAIT));
	SAY(msgrcv(queue, &message, 8, 0, IPC_NOWAIT | MSG_COPY));
	SAY(msgrcv(queue, &message, 8, 0, IPC_NOWAIT));
	SAY(semop(set, (struct sembuf[]){{0, 1, 0}}, 1));
	SAY(semop(set, (struct sembuf[]){{1, 0, IPC_NOWAIT}}, 1));
	SAY(semop(set, (struct sembuf[]){{2, 1, 0}}, 1));
	SAY(semop(set, (struct sembuf[]){{1, 0, IPC_NOWAIT}, {0, -1, SEM_UNDO}}, 2));
	SAY(semctl(set, 0, GETVAL));
	SAY(semctl(set, 7, GETVAL));
	SAY(semctl(set, 0, GETNCNT));
	SAY(semctl(set, 0, SETVAL, 1));
	SAY(semctl(set, 0, SETVAL, -1));
	SAY(semctl(set, 0, GETALL, values));
	SAY(semctl(set, 0, SETALL, values));
	void *at;
	SAY_OK(at = shmat(segment, NULL, SHM_RDONLY));
	if (at != (void *)-1)
		SAY(shmdt(at));
	SAY_OK(at = shmat(segment, NULL, 0));
	if (at != (void *)-1)
		SAY(shmdt(at));
	SAY(shmctl(segment, SHM_LOCK, NULL));
	SAY(shmctl(segment, SHM_UNLOCK, NULL));
}

/* The slot of an identifier. */
static int slot_of(int id)
{
	return id & 0x7fff;
}

static void look_at(void)
{
	struct msqid_ds of_queue = {0};
	struct semid_ds of_set = {0};
	struct shmid_ds of_segment = {0};
	SAY(msgctl(queue, IPC_STAT, &of_queue));
	SAY_OK(msgctl(slot_of(queue), MSG_STAT, &of_queue));
	SAY_TRUE(msgctl(slot_of(queue), MSG_STAT_ANY, &of_queue) == queue);
	printf("%o %u %u\n", of_queue.msg_perm.mode, of_queue.msg_perm.uid, of_queue.msg_perm.cgid);
	SAY(semctl(set, 0, IPC_STAT, &of_set));
	SAY_OK(semctl(slot_of(set), 0, SEM_STAT, &of_set));
	SAY_TRUE(semctl(slot_of(set), 0, SEM_STAT_ANY, &of_set) == set);
	printf("%o %u %u\n", of_set.sem_perm.mode, of_set.sem_perm.uid, of_set.sem_perm.cgid);
	SAY(shmctl(segment, IPC_STAT, &of_segment));
	SAY_OK(shmctl(slot_of(segment), SHM_STAT, &of_segment));
	SAY_TRUE(shmctl(slot_of(segment), SHM_STAT_ANY, &of_segment) == segment);
	printf("%o %u %u\n", of_segment.shm_perm.mode, of_segment.shm_perm.uid, of_segment.shm_perm.cgid);
}

/* Gives all objects to a user with a mode. */
static void give(unsigned uid, unsigned gid, unsigned mode)
{
	struct msqid_ds of_queue = {.msg_perm = {.uid = uid, .gid = gid, .mode = mode}, .msg_qbytes = 16384};
	struct semid_ds of_set = {.sem_perm = {.uid = uid, .gid = gid, .mode = mode}};
	struct shmid_ds of_segment = {.shm_perm = {.uid = uid, .gid = gid, .mode = mode}};
	SAY(msgctl(queue, IPC_SET, &of_queue));
	SAY(semctl(set, 0, IPC_SET, &of_set));
	SAY(shmctl(segment, IPC_SET, &of_segment));
}

static void use(void)
{
	look_up();
	operate();
	look_at();
}

static void become(unsigned uid, unsigned gid, unsigned extra)
{
	if (setgroups(extra ? 1 : 0, &extra) || setgid(gid) || setuid(uid))
		perror("become");
}

/* Runs a function in a child as another user. */
static void in_child(const char *what, void (*function)(void), unsigned uid, unsigned gid, unsigned extra)
{
	printf("--- %s\n", what);
	pid_t child = fork();
	if (!child) {
		if (uid)
			become(uid, gid, extra);
		function();
		_exit(0);
	}
	waitpid(child, NULL, 0);
}

static void keep_capability(int capability)
{
	struct {
		unsigned version;
		int pid;
	} header = {0x20080522, 0};
	struct {
		unsigned effective, permitted, inheritable;
	} sets[2] = {{1U << capability, 1U << capability, 0}, {0, 0, 0}};
	if (syscall(SYS_capset, &header, sets))
		perror("capset");
}

static void without_ipc_owner(void)
{
	keep_capability(CAP_SYS_ADMIN);
	use();
	give(0, 0, 0);
	give(NOBODY, NOBODY, 0600);
}

static void with_ipc_owner(void)
{
	keep_capability(CAP_IPC_OWNER);
	use();
	give(0, 0, 0600);
	remove_objects();
}

static void take_over(void)
{
	use();
	give(NOBODY, NOBODY, 0);
	use();
	give((unsigned)-1, 0, 0600);
	give(0, (unsigned)-1, 0600);
	give(1, 1, 0600);
	give(NOBODY, NOBODY, 0600);
	remove_objects();
}

/* A receiver that waits loses its right; its end does not depend on whether it waited already. */
static void lose_right(void)
{
	struct {
		long type;
		char text[8];
	} message;
	int status = 0;
	printf("--- a right is lost in a wait\n");
	make_objects(0644);
	pid_t child = fork();
	if (!child) {
		become(NOBODY, NOBODY, 0);
		_exit(msgrcv(queue, &message, 8, 0, 0) < 0 ? errno : 0);
	}
	usleep(100000);
	give(0, 0, 0600);
	waitpid(child, &status, 0);
	printf("%s\n", errno_name(WEXITSTATUS(status)));
	remove_objects();
}

int main(void)
{
	setvbuf(stdout, NULL, _IONBF, 0);
	key = 0x5e3b0000 + getpid();
	make_objects(0600);
	use();
	in_child("another user", use, NOBODY, NOBODY, 0);
	in_child("another user removes", remove_objects, NOBODY, NOBODY, 0);
	give(0, 4711, 0640);
	in_child("a group", use, NOBODY, 4711, 0);
	in_child("another group", use, NOBODY, 4711, 4712);
	in_child("a supplementary group", use, NOBODY, NOBODY, 4711);
	give(0, 0, 0624);
	in_child("others may read", use, NOBODY, NOBODY, 0);
	in_child("the creator's group may write", use, NOBODY, NOBODY, 0);
	give(0, 0, 0);
	in_child("root, mode 0", use, 0, 0, 0);
	give(NOBODY, NOBODY, 0600);
	in_child("the new owner", take_over, NOBODY, NOBODY, 0);
	remove_objects();
	make_objects(0600);
	give(NOBODY, NOBODY, 0600);
	in_child("root is the creator", use, 0, 0, 0);
	give(0, 0, 0077);
	in_child("root without CAP_IPC_OWNER", without_ipc_owner, 0, 0, 0);
	give(0, 0, 0);
	in_child("CAP_IPC_OWNER alone", with_ipc_owner, 0, 0, 0);
	lose_right();
	return 0;
}
