/* SPDX-License-Identifier: MIT */
/* System V messages: types, sizes, full and empty queues, waiting in several processes, removal, signals. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/guest/say.h"

static struct {
	long type;
	char text[9000];
} message;

static int queue;

static int put(long type, const char *text, size_t bytes, int flags)
{
	message.type = type;
	strcpy(message.text, text);
	return msgsnd(queue, &message, bytes, flags);
}

/* Receives a message, and prints it. */
static void get(size_t room, long type, int flags)
{
	memset(&message, 0, sizeof(message));
	ssize_t got = msgrcv(queue, &message, room, type, flags);
	if (got < 0)
		printf("type %ld: %s\n", type, strerrorname_np(errno));
	else
		printf("type %ld: %zd bytes, type %ld, %.20s\n", type, got, message.type, message.text);
}

static void tell(void)
{
	struct msqid_ds about;
	SAY(msgctl(queue, IPC_STAT, &about));
	printf("%lu messages of %lu bytes of %lu, mode %o, %d %d %d %d\n", (unsigned long)about.msg_qnum,
	       (unsigned long)about.__msg_cbytes, (unsigned long)about.msg_qbytes, about.msg_perm.mode,
	       about.msg_lspid == getpid(), about.msg_lrpid == getpid(), about.msg_stime != 0, about.msg_rtime != 0);
}

static void keys(void)
{
	key_t key = 0x5e3a0000 + getpid();
	SAY(msgget(key, 0));
	queue = msgget(key, IPC_CREAT | IPC_EXCL | 0640);
	SAY(queue >= 0);
	SAY(msgget(key, IPC_CREAT | IPC_EXCL | 0600));
	SAY(msgget(key, IPC_CREAT) == queue);
	SAY(msgget(key, 0) == queue);
}

static void types(void)
{
	tell();
	put(3, "three", 6, 0);
	put(1, "one", 4, 0);
	put(2, "two", 4, 0);
	put(1, "another one", 12, 0);
	tell();
	get(100, 2, 0);
	get(100, -2, 0);
	get(100, -2, 0);
	get(100, -2, IPC_NOWAIT);
	put(5, "five", 5, 0);
	get(100, 3, MSG_EXCEPT);
	get(2, 0, 0);
	get(2, 0, MSG_NOERROR);
	get(100, 0, IPC_NOWAIT);
	tell();
	SAY(put(0, "", 0, 0));
	SAY(put(-1, "", 0, 0));
	SAY(put(1, "", 8193, 0));
	SAY(msgsnd(queue, NULL, 1, 0));
	SAY(msgsnd(queue + 1000, &message, 1, 0));
	SAY(msgrcv(-1, &message, 1, 0, 0));
	SAY(msgrcv(queue, &message, (size_t)-1, 0, IPC_NOWAIT));
	SAY(msgrcv(queue, &message, 1, 0, 040000 /* MSG_COPY */));
}

static void full(void)
{
	SAY(put(1, "large", 8192, 0));
	SAY(put(1, "large", 8192, 0));
	SAY(put(1, "too much", 1, IPC_NOWAIT));
	SAY(put(1, "", 0, IPC_NOWAIT));
	if (!fork())
		_exit(put(4, "waited for room", 16, 0) ? errno : 0);
	get(8192, 0, 0);
	get(8192, 4, 0);
	int status;
	wait(&status);
	printf("sender: %d\n", status);
	get(8192, 0, 0);
	get(8192, 0, 0);
	get(8192, 0, IPC_NOWAIT);
}

static void handle(int sig)
{
	(void)sig;
}

static void waiting(void)
{
	int status;
	pid_t child = fork();
	if (!child) {
		msgrcv(queue, &message, 100, 7, 0);
		_exit(message.text[0]);
	}
	put(6, "not this", 9, 0);
	put(7, "this", 5, 0);
	waitpid(child, &status, 0);
	printf("receiver: %c\n", WEXITSTATUS(status));
	get(100, 0, 0);
	struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART};
	sigaction(SIGALRM, &action, NULL);
	alarm(1);
	get(100, 0, 0); /* never restarted */
	child = fork();
	if (!child)
		_exit(msgrcv(queue, &message, 100, 0, 0) < 0 && (errno == EIDRM || errno == EINVAL) ? 0 : 1);
	usleep(20000);
	SAY(msgctl(queue, IPC_RMID, NULL));
	waitpid(child, &status, 0);
	printf("removed: %d\n", WEXITSTATUS(status));
	SAY(msgctl(queue, IPC_RMID, NULL));
	SAY(put(1, "", 0, 0));
}

int main(void)
{
	setvbuf(stdout, NULL, _IONBF, 0);
	keys();
	types();
	full();
	waiting();
	return 0;
}
