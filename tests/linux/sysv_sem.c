/* SPDX-License-Identifier: MIT */
/* System V semaphores: several operations at once, waiting, SEM_UNDO, timeouts, counts of who waits, removal. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ipc.h>
#include <sys/sem.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/guest/say.h"

union semun {
	int val;
	struct semid_ds *buf;
	unsigned short *array;
};

static int set;

static int operate(short number, short change, short flags)
{
	return semop(set, &(struct sembuf){(unsigned short)number, change, flags}, 1);
}

static int value(int number)
{
	return semctl(set, number, GETVAL);
}

static void assign(int number, int to)
{
	semctl(set, number, SETVAL, (union semun){.val = to});
}

static int ended(pid_t child)
{
	int status;
	waitpid(child, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 100 + WTERMSIG(status);
}

static void keys(void)
{
	key_t key = 0x5e3b0000 + getpid();
	struct semid_ds about;
	SAY(semget(key, 3, 0));
	SAY(semget(key, 0, IPC_CREAT));
	SAY(semget(key, -1, IPC_CREAT));
	set = semget(key, 3, IPC_CREAT | IPC_EXCL | 0660);
	SAY(set >= 0);
	SAY(semget(key, 3, IPC_CREAT | IPC_EXCL));
	SAY(semget(key, 4, IPC_CREAT));
	SAY(semget(key, 0, 0) == set);
	SAY(semctl(set, 0, IPC_STAT, (union semun){.buf = &about}));
	printf("%lu semaphores, mode %o, used %d\n", (unsigned long)about.sem_nsems, about.sem_perm.mode,
	       about.sem_otime != 0);
}

static void values(void)
{
	unsigned short all[3] = {4, 0, 32767};
	struct sembuf several[] = {{0, -2, IPC_NOWAIT}, {1, 0, IPC_NOWAIT}, {2, 1, IPC_NOWAIT}};
	SAY(semctl(set, 0, SETALL, (union semun){.array = all}));
	SAY(semop(set, several, 3));
	printf("%d %d %d\n", value(0), value(1), value(2));
	several[2].sem_op = -7;
	SAY(semop(set, several, 3));
	printf("%d %d %d\n", value(0), value(1), value(2));
	several[0].sem_op = -3;
	SAY(semop(set, several, 3));
	several[1].sem_num = 3;
	SAY(semop(set, several, 3));
	SAY(semop(set, several, 0));
	SAY(semop(set, NULL, 1));
	SAY(semop(set + 1000, several, 1));
	SAY(semctl(set, 3, GETVAL));
	SAY(semctl(set, 1, SETVAL, (union semun){.val = 32768}));
	SAY(semctl(set, 1, SETVAL, (union semun){.val = -1}));
	SAY(semctl(set, 0, GETPID) == getpid());
	SAY(semctl(set, 0, 99));
	all[0] = 40000;
	SAY(semctl(set, 0, SETALL, (union semun){.array = all}));
	SAY(semctl(set, 0, GETALL, (union semun){.array = all}));
	printf("%d %d %d\n", all[0], all[1], all[2]);
}

static void undo(void)
{
	assign(0, 5);
	if (!fork()) {
		operate(0, -3, SEM_UNDO);
		operate(0, 1, SEM_UNDO);
		operate(0, 1, 0);
		_exit(value(0));
	}
	printf("inside %d, ", ended(-1));
	printf("after %d\n", value(0));
	if (!fork()) {
		operate(0, 4, SEM_UNDO);
		assign(0, 9);
		_exit(0);
	}
	ended(-1);
	printf("assigned %d\n", value(0));
	pid_t child = fork();
	if (!child) {
		operate(0, -9, SEM_UNDO);
		operate(1, 1, 0);
		pause();
	}
	operate(1, -1, 0);
	kill(child, SIGKILL);
	printf("killed %d, ", ended(child));
	printf("%d\n", value(0));
	SAY(semctl(set, 0, GETPID) == child);
}

static void waiting(void)
{
	assign(0, 0);
	pid_t first = fork();
	if (!first)
		_exit(operate(0, -2, 0) ? errno : 0);
	pid_t second = fork();
	if (!second)
		_exit(operate(1, 0, 0) ? errno : operate(2, 0, IPC_NOWAIT) ? 50 : 51);
	ended(second); /* the second semaphore is 0 already */
	while (semctl(set, 0, GETNCNT) != 1)
		usleep(1000);
	SAY(semctl(set, 0, GETZCNT));
	SAY(operate(0, 1, 0));
	SAY(operate(0, 1, 0));
	printf("left %d, ", value(0)); /* the waker has done it already */
	printf("woken: %d\n", ended(first));
	struct timespec soon = {0, 20000000};
	SAY(semtimedop(set, &(struct sembuf){0, -1, 0}, 1, &soon));
	soon.tv_nsec = -1;
	SAY(semtimedop(set, &(struct sembuf){0, -1, 0}, 1, &soon));
	first = fork();
	if (!first)
		_exit(operate(0, -1, 0) ? errno == EIDRM : 2);
	while (semctl(set, 0, GETNCNT) != 1)
		usleep(1000);
	SAY(semctl(set, 0, IPC_RMID));
	printf("removed: %d\n", ended(first));
	SAY(operate(0, 1, 0));
}

int main(void)
{
	setvbuf(stdout, NULL, _IONBF, 0);
	keys();
	values();
	undo();
	waiting();
	return 0;
}
