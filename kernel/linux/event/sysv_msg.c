/* SPDX-License-Identifier: MIT */
/* System V messages: msgget(2), msgsnd(2), msgrcv(2), msgctl(2). A thread that waits holds its queue, which is freed
 * when it has been removed and no thread waits any longer. */
#include <stdbool.h>
#include <stddef.h>

#include "abi/errno.h"
#include "kernel/arch/uaccess.h"
#include "kernel/lib/string.h"
#include "kernel/linux/event/sysv.h"
#include "kernel/linux/process/linux_process.h"
#include "kernel/mm/kmalloc.h"
#include "kernel/sched/sched.h"
#include "kernel/sys/sys.h"
#include "kernel/time/vclock.h"
#include "kernel/vfs/readiness.h"

#define MSG_NOERROR 010000
#define MSG_EXCEPT 020000
#define MSG_COPY 040000

#define MESSAGE_BYTES_MAX 8192 /* kernel.msgmax */
#define QUEUE_BYTES 16384      /* kernel.msgmnb */
#define QUEUES_MAX 32000       /* kernel.msgmni */

/* struct msqid64_ds of asm-generic/msgbuf.h. */
struct description {
	struct sysv_permissions permissions;
	int64_t sent, received, changed; /* seconds since 1970 */
	uint64_t bytes, messages, bytes_max;
	int sender, receiver;
	uint64_t unused[2];
};

_Static_assert(sizeof(struct description) == 120, "msqid64_ds");

struct message {
	struct message *next;
	int64_t type;
	size_t bytes;
	char text[];
};

struct queue {
	struct queue *next;
	int id;
	unsigned waiters;
	bool removed;
	struct message *first, *last;
	struct readiness_queue waiting;
	struct description told;
};

static struct queue *queues;
static unsigned queue_count;
static int last_id = -1;

int64_t sysv_now(void)
{
	return vclock_realtime() / 1000000000;
}

struct sysv_permissions sysv_permissions(int key, int flags)
{
	const struct credentials *own = &process_self()->credentials;
	return (struct sysv_permissions){.key = key,
	                                 .uid = own->user.effective,
	                                 .gid = own->group.effective,
	                                 .creator_uid = own->user.effective,
	                                 .creator_gid = own->group.effective,
	                                 .mode = (uint32_t)flags & SYSV_MODE};
}

void sysv_permissions_set(struct sysv_permissions *permissions, const struct sysv_permissions *wanted)
{
	permissions->uid = wanted->uid;
	permissions->gid = wanted->gid;
	permissions->mode = (permissions->mode & ~SYSV_MODE) | (wanted->mode & SYSV_MODE);
}

static struct queue *find(int id)
{
	struct queue *queue = queues;
	while (queue && queue->id != id)
		queue = queue->next;
	return queue;
}

static long create(int key, int flags)
{
	if (queue_count == QUEUES_MAX)
		return -ENOSPC;
	struct queue *queue = kzalloc(sizeof(*queue));
	if (!queue)
		return -ENOMEM;
	queue->id = ++last_id;
	queue->told = (struct description){
		.permissions = sysv_permissions(key, flags), .changed = sysv_now(), .bytes_max = QUEUE_BYTES};
	queue->next = queues;
	queues = queue;
	queue_count++;
	return queue->id;
}

long sys_msgget(int key, int flags)
{
	for (const struct queue *queue = queues; key != SYSV_PRIVATE && queue; queue = queue->next) {
		if (queue->told.permissions.key == key)
			return (flags & SYSV_CREAT) && (flags & SYSV_EXCL) ? -EEXIST : queue->id;
	}
	return key == SYSV_PRIVATE || flags & SYSV_CREAT ? create(key, flags) : -ENOENT;
}

/* Waits until test(context) holds for a queue. Returns 0, -EIDRM or -EINTR. */
static int wait_for(struct queue *queue, const char *what, readiness_test test, const void *context)
{
	queue->waiters++;
	int error = readiness_wait(&queue->waiting, SCHED_FOREVER, what, test, context);
	queue->waiters--;
	if (!queue->removed)
		return error;
	if (!queue->waiters)
		kfree(queue);
	return -EIDRM;
}

/* --- sending --- */

struct sender {
	const struct queue *queue;
	size_t bytes;
};

static bool can_send(const void *context)
{
	const struct sender *sender = context;
	const struct description *told = &sender->queue->told;
	return sender->queue->removed ||
	       (told->bytes + sender->bytes <= told->bytes_max && told->messages < told->bytes_max);
}

/* Reads a message of a program. Returns 0 or a negative errno. */
static int load(const int64_t *user, size_t bytes, struct message **out)
{
	int64_t type;
	if (copy_from_user(&type, user, sizeof(type)))
		return -EFAULT;
	if (bytes > MESSAGE_BYTES_MAX || type < 1)
		return -EINVAL;
	struct message *message = kmalloc(sizeof(*message) + bytes);
	if (!message)
		return -ENOMEM;
	*message = (struct message){.type = type, .bytes = bytes};
	*out = message;
	if (!copy_from_user(message->text, user + 1, bytes))
		return 0;
	kfree(message);
	return -EFAULT;
}

static void append(struct queue *queue, struct message *message)
{
	*(queue->last ? &queue->last->next : &queue->first) = message;
	queue->last = message;
	queue->told.bytes += message->bytes;
	queue->told.messages++;
	queue->told.sent = sysv_now();
	queue->told.sender = (int)process_current->id;
	readiness_wake_all(&queue->waiting);
}

long sys_msgsnd(int id, const void *user, unsigned long bytes, int flags)
{
	struct message *message;
	int error = load(user, bytes, &message);
	if (error)
		return error;
	struct queue *queue = find(id);
	const struct sender sender = {queue, bytes};
	error = queue ? 0 : -EINVAL;
	while (!error && !can_send(&sender))
		error = flags & SYSV_NOWAIT ? -EAGAIN
		                            : wait_for(queue, "room in a message queue (msgsnd)", can_send, &sender);
	if (error)
		kfree(message);
	else
		append(queue, message);
	return error;
}

/* --- receiving --- */

struct receiver {
	const struct queue *queue;
	int64_t type;
	int flags;
};

static bool suits(const struct receiver *receiver, const struct message *message)
{
	if (receiver->type <= 0)
		return !receiver->type || message->type <= (receiver->type == INT64_MIN ? INT64_MAX : -receiver->type);
	return (message->type == receiver->type) == !(receiver->flags & MSG_EXCEPT);
}

/* The message to receive, and in *before the one before it; NULL: none. */
static struct message *choose(const struct receiver *receiver, struct message **before)
{
	struct message *found = NULL, *last = NULL;
	for (struct message *message = receiver->queue->first; message; last = message, message = message->next) {
		if (!suits(receiver, message) || (found && message->type >= found->type))
			continue;
		found = message;
		*before = last;
		if (receiver->type >= 0)
			break;
	}
	return found;
}

static bool can_receive(const void *context)
{
	const struct receiver *receiver = context;
	struct message *before;
	return receiver->queue->removed || choose(receiver, &before);
}

static void take(struct queue *queue, struct message *message, struct message *before)
{
	*(before ? &before->next : &queue->first) = message->next;
	if (queue->last == message)
		queue->last = before;
	queue->told.bytes -= message->bytes;
	queue->told.messages--;
	queue->told.received = sysv_now();
	queue->told.receiver = (int)process_current->id;
	readiness_wake_all(&queue->waiting);
}

long sys_msgrcv(int id, void *user, unsigned long bytes, long type, int flags)
{
	struct queue *queue = find(id);
	const struct receiver receiver = {queue, type, flags};
	struct message *message, *before = NULL;
	if (flags & MSG_COPY)
		return flags & MSG_EXCEPT || !(flags & SYSV_NOWAIT) ? -EINVAL : -ENOSYS;
	if ((long)bytes < 0 || !queue)
		return -EINVAL;
	while (!(message = choose(&receiver, &before))) {
		int error =
			flags & SYSV_NOWAIT ? -ENOMSG : wait_for(queue, "a message (msgrcv)", can_receive, &receiver);
		if (error)
			return error;
	}
	if (bytes < message->bytes && !(flags & MSG_NOERROR))
		return -E2BIG;
	take(queue, message, before);
	size_t count = bytes < message->bytes ? bytes : message->bytes;
	long result = copy_to_user(user, &message->type, sizeof(message->type)) ||
	                              copy_to_user((int64_t *)user + 1, message->text, count)
	                      ? -EFAULT
	                      : (long)count;
	kfree(message);
	return result;
}

/* --- control --- */

static void remove(struct queue *queue)
{
	struct queue **link = &queues;
	while (*link != queue)
		link = &(*link)->next;
	*link = queue->next;
	queue_count--;
	for (struct message *message = queue->first, *next; message; message = next) {
		next = message->next;
		kfree(message);
	}
	queue->first = queue->last = NULL;
	queue->removed = true;
	readiness_wake_all(&queue->waiting);
	if (!queue->waiters)
		kfree(queue);
}

static long set(struct queue *queue, const void *user)
{
	struct description wanted;
	if (copy_from_user(&wanted, user, sizeof(wanted)))
		return -EFAULT;
	if (wanted.bytes_max > QUEUE_BYTES && !credentials_may(&process_self()->credentials, CAP_SYS_RESOURCE))
		return -EPERM;
	sysv_permissions_set(&queue->told.permissions, &wanted.permissions);
	queue->told.bytes_max = wanted.bytes_max;
	queue->told.changed = sysv_now();
	readiness_wake_all(&queue->waiting);
	return 0;
}

long sys_msgctl(int id, int command, void *user)
{
	struct queue *queue = find(id);
	if (!queue)
		return -EINVAL;
	switch (command) {
	case SYSV_STAT:
		return copy_to_user(user, &queue->told, sizeof(queue->told)) ? -EFAULT : 0;
	case SYSV_SET:
		return set(queue, user);
	case SYSV_RMID:
		remove(queue);
		return 0;
	default:
		return -EINVAL;
	}
}
