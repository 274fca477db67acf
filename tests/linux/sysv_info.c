/* SPDX-License-Identifier: MIT */
/* natively: root */
/* What the kernel reports of System V objects: limits, what is in use, objects by slot, /proc/sysvipc; copies of
 * messages (MSG_COPY); and where segments are attached and detached. Other objects of the host may exist. */
#include <stdbool.h>
#include <stdlib.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <unistd.h>

#include "tests/guest/say.h"

#define PAGE 4096L

static key_t key;
static int queue, set, segment;

static void limits(void)
{
	struct msginfo of_queues = {0};
	struct seminfo of_sets = {0};
	struct shminfo of_segments = {0};
	SAY_TRUE(msgctl(0, IPC_INFO, (struct msqid_ds *)&of_queues) >= 0);
	printf("%d %d %d %d %d %d %d %d\n", of_queues.msgpool, of_queues.msgmap, of_queues.msgmax, of_queues.msgmnb,
	       of_queues.msgmni, of_queues.msgssz, of_queues.msgtql, of_queues.msgseg);
	SAY_TRUE(semctl(0, 0, IPC_INFO, &of_sets) >= 0);
	printf("%d %d %d %d %d %d %d %d %d %d\n", of_sets.semmap, of_sets.semmni, of_sets.semmns, of_sets.semmnu,
	       of_sets.semmsl, of_sets.semopm, of_sets.semume, of_sets.semusz, of_sets.semvmx, of_sets.semaem);
	SAY_TRUE(shmctl(0, IPC_INFO, (struct shmid_ds *)&of_segments) >= 0);
	printf("%lx %lu %lu %lu %lx\n", of_segments.shmmax, of_segments.shmmin, of_segments.shmmni, of_segments.shmseg,
	       of_segments.shmall);
	SAY(msgctl(-1, IPC_INFO, (struct msqid_ds *)&of_queues));
	SAY(semctl(0, 0, IPC_INFO, NULL));
}

static void in_use(void)
{
	struct msginfo of_queues = {0};
	struct seminfo of_sets = {0};
	struct shm_info of_segments = {0};
	SAY_TRUE(msgctl(0, MSG_INFO, (struct msqid_ds *)&of_queues) >= (queue & 0x7fff));
	printf("%d %d %d\n", of_queues.msgpool > 0, of_queues.msgmap > 1, of_queues.msgtql > 8);
	SAY_TRUE(semctl(0, 0, SEM_INFO, &of_sets) >= (set & 0x7fff));
	printf("%d %d %d\n", of_sets.semusz > 0, of_sets.semaem > 2, of_sets.semvmx);
	SAY_TRUE(shmctl(0, SHM_INFO, (struct shmid_ds *)&of_segments) >= (segment & 0x7fff));
	printf("%d %d %d %lu\n", of_segments.used_ids > 0, of_segments.shm_tot > 1, of_segments.shm_rss > 0,
	       of_segments.shm_swp);
	SAY(msgctl(0x7ffe, MSG_STAT, (struct msqid_ds *)&of_queues));
	SAY(semctl(-1, 0, SEM_STAT, &of_sets));
	SAY(shmctl(0x7ffe, SHM_STAT, (struct shmid_ds *)&of_segments));
}

/* Prints the header of a file of /proc/sysvipc and the line about an object, with names for what differs in each run:
 * times, and the process numbers in two columns after the mode. */
static void list(const char *name, int id, int pids)
{
	char path[40], line[300];
	snprintf(path, sizeof(path), "/proc/sysvipc/%s", name);
	FILE *file = fopen(path, "r");
	if (!file || !fgets(line, sizeof(line), file)) {
		perror(path);
		return;
	}
	fputs(line, stdout);
	while (fgets(line, sizeof(line), file)) {
		int of_key, of_id, at = 0;
		if (sscanf(line, "%d %d%n", &of_key, &of_id, &at) != 2 || of_id != id)
			continue;
		printf("%s, %d:", of_key == key ? "key" : of_key ? "?" : "none", at);
		for (const char *field = strtok(line + at, " \n"); field; field = strtok(NULL, " \n"), pids--) {
			bool is_own = (pids == 0 || pids == -1) && atol(field) == getpid();
			printf(" %s", is_own ? "pid" : atol(field) >= 900000000 ? "time" : field);
		}
		printf("\n");
	}
	fclose(file);
}

static void copies(void)
{
	struct {
		long type;
		char text[100];
	} message = {.type = 3, .text = "three"};
	SAY(msgsnd(queue, &message, 6, 0));
	message.type = 1;
	strcpy(message.text, "one");
	SAY(msgsnd(queue, &message, 4, 0));
	for (int i = -1; i < 3; i++) {
		memset(&message, 0, sizeof(message));
		SAY(msgrcv(queue, &message, 100, i, MSG_COPY | IPC_NOWAIT));
		printf("%d: %ld %s\n", i, message.type, message.text);
	}
	SAY(msgrcv(queue, &message, 100, 0, MSG_COPY));
	SAY(msgrcv(queue, &message, 100, 0, MSG_COPY | IPC_NOWAIT | MSG_EXCEPT));
	SAY(msgrcv(queue, &message, 5, 0, MSG_COPY | IPC_NOWAIT));
	SAY(msgrcv(queue, &message, 5, 0, MSG_COPY | IPC_NOWAIT | MSG_NOERROR));
	SAY(msgrcv(queue, &message, -1, 0, MSG_COPY | IPC_NOWAIT));
	SAY(msgrcv(queue, NULL, 100, 1, MSG_COPY | IPC_NOWAIT));
	struct msqid_ds told;
	msgctl(queue, IPC_STAT, &told);
	printf("%lu messages, received %d %d\n", (unsigned long)told.msg_qnum, told.msg_lrpid, told.msg_rtime != 0);
}

/* Identifiers in the order in which Linux gives them: the slot of a removed object is not taken at once. */
static void identifiers(void)
{
	int first = msgget(IPC_PRIVATE, 0600), second;
	SAY(msgctl(first, IPC_RMID, NULL));
	second = msgget(IPC_PRIVATE, 0600);
	SAY_TRUE(first != second);
	SAY(msgctl(first, IPC_RMID, NULL));
	SAY(msgctl(second, IPC_RMID, NULL));
}

static void holes(void)
{
	int id = shmget(IPC_PRIVATE, 4 * PAGE, 0600);
	char *at = shmat(id, NULL, 0);
	munmap(at, PAGE);
	munmap(at + 2 * PAGE, PAGE);
	char *own = mmap(at + 2 * PAGE, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE,
	                 -1, 0);
	strcpy(own, "mapped into the hole");
	SAY(shmdt(at + PAGE));
	SAY(shmdt(at));
	printf("%s\n", own);
	SAY(msync(at + PAGE, PAGE, MS_ASYNC));
	SAY(msync(at + 3 * PAGE, PAGE, MS_ASYNC));
	SAY(shmdt(at));
	munmap(own, PAGE);
	SAY(shmctl(id, IPC_RMID, NULL));
}

static void places(void)
{
	int id = shmget(IPC_PRIVATE, 2 * PAGE, 0600);
	SAY(shmat(id, (void *)0x7ffffffff000, 0));
	SAY(shmat(id, (void *)0x800000000000, 0));
	SAY(shmat(id, (void *)-4096L, 0));
	SAY(shmat(id, (void *)5, SHM_REMAP | SHM_RND));
	SAY(shmat(id, (void *)0x10000001, 0));
	SAY_OK(shmat(id, (void *)0x10000001, SHM_RND));
	SAY(shmat(id, (void *)0x10001000, 0));
	SAY(shmdt((void *)0x10000001));
	SAY(shmdt((void *)0x10000000));
	SAY(shmctl(id, IPC_RMID, NULL));
}

int main(void)
{
	setvbuf(stdout, NULL, _IONBF, 0);
	key = 0x5e3c0000 + getpid();
	queue = msgget(key, IPC_CREAT | IPC_EXCL | 0640);
	set = semget(key, 3, IPC_CREAT | IPC_EXCL | 0604);
	segment = shmget(key, 5000, IPC_CREAT | IPC_EXCL | 0600);
	char *at = shmat(segment, NULL, 0);
	at[0] = 1;
	limits();
	copies();
	in_use();
	list("msg", queue, 3);
	list("sem", set, 99);
	list("shm", segment, 2);
	identifiers();
	holes();
	places();
	SAY(msgctl(queue, IPC_RMID, NULL));
	SAY(semctl(set, 0, IPC_RMID));
	SAY(shmctl(segment, IPC_RMID, NULL));
	list("shm", segment, 2);
	return 0;
}
