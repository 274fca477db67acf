/* SPDX-License-Identifier: MIT */
/* System V messages, semaphores and shared memory, which processes remove while others wait. */
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <time.h>
#include <unistd.h>

#include "tests/fuzz/guest/calls.h"

static key_t any_key(void)
{
	return CALLS_RARELY(6) ? IPC_PRIVATE : (key_t)calls_below(4) + 1;
}

/* The identifier of a key, one of the first, or anything. */
static int any_id(int (*of_key)(key_t))
{
	return CALLS_RARELY(3) ? (int)calls_below(300) : CALLS_RARELY(12) ? (int)calls_number() : of_key(any_key());
}

static int queue_of(key_t key)
{
	return msgget(key, (int)(IPC_CREAT | 0600));
}

static int set_of(key_t key)
{
	return semget(key, CALLS_RARELY(8) ? (int)calls_number() : 3, IPC_CREAT | (int)calls_flags(IPC_EXCL) | 0600);
}

static int segment_of(key_t key)
{
	return shmget(key, CALLS_RARELY(8) ? (size_t)calls_number() & 0xffffff : 8192,
	              IPC_CREAT | (int)calls_flags(IPC_EXCL) | 0600);
}

static void use_queue(void)
{
	long *room = calls_memory(1024);
	unsigned char *sure = calls_room();
	size_t size = CALLS_RARELY(8) ? (size_t)calls_number() & 0xfffff : calls_below(600);
	int flags = IPC_NOWAIT;
	if (CALLS_RARELY(8))
		flags = 0;
	switch (calls_below(6)) {
	case 0:
	case 1:
		*(long *)sure = CALLS_RARELY(8) ? calls_number() : 1 + calls_below(3);
		msgsnd(any_id(queue_of), CALLS_RARELY(8) ? room : (void *)sure, size, flags);
		break;
	case 2:
	case 3:
		msgrcv(any_id(queue_of), room, size, CALLS_RARELY(4) ? calls_number() : (long)calls_below(4) - 1,
		       flags | (int)calls_flags(MSG_NOERROR | MSG_EXCEPT | MSG_COPY));
		break;
	case 4:
		msgctl(any_id(queue_of), (int)CALLS_ONE_OF(IPC_STAT, IPC_SET, IPC_INFO, MSG_INFO, MSG_STAT, 13, 99),
		       (void *)room);
		break;
	default:
		if (CALLS_RARELY(3))
			msgctl(any_id(queue_of), IPC_RMID, NULL);
		break;
	}
}

static void use_set(void)
{
	struct sembuf operations[8];
	struct timespec wait = {0, (long)calls_below(3000000)};
	unsigned count = 1 + calls_below(4);
	for (unsigned i = 0; i < 8; i++)
		operations[i] = (struct sembuf){(unsigned short)(CALLS_RARELY(16) ? calls_number() : calls_below(3)),
		                                (short)(CALLS_RARELY(16) ? calls_number() : (long)calls_below(5) - 2),
		                                (short)calls_flags(IPC_NOWAIT | SEM_UNDO)};
	switch (calls_below(5)) {
	case 0:
	case 1:
		semtimedop(any_id(set_of), CALLS_RARELY(16) ? calls_memory(48) : operations,
		           CALLS_RARELY(24) ? (size_t)calls_number() : count, &wait);
		break;
	case 2:
		semop(any_id(set_of), operations, count);
		break;
	case 3:
		semctl(any_id(set_of), CALLS_RARELY(8) ? (int)calls_number() : (int)calls_below(3),
		       (int)CALLS_ONE_OF(GETVAL, SETVAL, GETALL, SETALL, GETPID, GETNCNT, GETZCNT, IPC_STAT, IPC_SET,
		                         IPC_INFO, SEM_INFO, SEM_STAT, 20, 99),
		       CALLS_RARELY(2) ? calls_memory(128) : (void *)calls_number());
		break;
	default:
		if (CALLS_RARELY(3))
			semctl(any_id(set_of), 0, IPC_RMID);
		break;
	}
}

static void use_segment(void)
{
	static void *volatile last;
	unsigned char *at;
	switch (calls_below(5)) {
	case 0:
	case 1:
		at = shmat(any_id(segment_of), CALLS_RARELY(8) ? calls_memory(8) : NULL,
		           CALLS_RARELY(6) ? (int)calls_flags(SHM_RDONLY | SHM_RND) & ~SHM_REMAP : 0);
		if (at != (void *)-1 && !__atomic_exchange_n(&last, at, __ATOMIC_SEQ_CST))
			break;
		if (at != (void *)-1)
			shmdt(at);
		break;
	case 2:
		shmdt(CALLS_RARELY(4) ? calls_memory(8) : __atomic_exchange_n(&last, NULL, __ATOMIC_SEQ_CST));
		break;
	case 3:
		shmctl(any_id(segment_of),
		       (int)CALLS_ONE_OF(IPC_STAT, IPC_SET, IPC_INFO, SHM_INFO, SHM_STAT, SHM_LOCK, SHM_UNLOCK, 99),
		       calls_memory(200));
		break;
	default:
		if (CALLS_RARELY(3))
			shmctl(any_id(segment_of), IPC_RMID, NULL);
		break;
	}
}

void calls_ipc(void)
{
	switch (calls_below(3)) {
	case 0:
		use_queue();
		break;
	case 1:
		use_set();
		break;
	default:
		use_segment();
		break;
	}
}

/* The guest counts identifiers from 0, so a new object's is larger than all others. */
void calls_ipc_clear(void)
{
	static int queue, set, segment;
	for (int last = msgget(IPC_PRIVATE, 0600); queue <= last; queue++)
		msgctl(queue, IPC_RMID, NULL);
	for (int last = semget(IPC_PRIVATE, 1, 0600); set <= last; set++)
		semctl(set, 0, IPC_RMID);
	for (int last = shmget(IPC_PRIVATE, 1, 0600); segment <= last; segment++)
		shmctl(segment, IPC_RMID, NULL);
}
