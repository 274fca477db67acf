/* SPDX-License-Identifier: MIT */
/* System V messages: msgget(2), msgsnd(2), msgrcv(2), msgctl(2). A thread that waits holds its queue, which is freed
 * when it has been removed and no thread waits any longer. */
#include <stdbool.h>
#include <stddef.h>

#include "abi/errno.h"
#include "kernel/arch/uaccess.h"
#include "kernel/lib/string.h"
#include "kernel/linux/event/sysv.h"
#include "kernel/linux/files/text.h"
#include "kernel/linux/process/linux_process.h"
#include "kernel/mm/kmalloc.h"
#include "kernel/sched/sched.h"
#include "kernel/sys/sys.h"
#include "kernel/vfs/readiness.h"

#define MSG_NOERROR 010000
#define MSG_EXCEPT 020000
#define MSG_COPY 040000
#define MSG_STAT 11
#define MSG_INFO 12
#define MSG_STAT_ANY 13

#define MESSAGE_BYTES_MAX 8192 /* kernel.msgmax */
#define QUEUE_BYTES 16384      /* kernel.msgmnb */
#define QUEUES_MAX 32000       /* kernel.msgmni */

/* struct msqid64_ds of asm-generic/msgbuf.h. */
struct description {
	struct sysv_permissions permissions; /* set when the description is copied to a program */
	int64_t sent, received, changed;     /* seconds since 1970 */
	uint64_t bytes, messages, bytes_max;
	int sender, receiver;
	uint64_t unused[2];
};

_Static_assert(sizeof(struct description) == 120, "msqid64_ds");

/* struct msginfo. */
struct information {
	int pool, map, bytes_max, queue_bytes, queues_max, segment_bytes, total;
	uint16_t segments;
};

struct message {
	struct message *next;
	int64_t type;
	size_t bytes;
	char text[];
};

struct queue {
	struct sysv_object object;
	unsigned waiters;
	unsigned settings; /* number of IPC_SET so far, after which threads that wait are judged again */
	bool removed;
	struct message *first, *last;
	struct readiness_queue waiting;
	struct description told;
};

static struct sysv_table queues = {.limit = QUEUES_MAX};

static struct queue *find_queue(int id)
{
	return (struct queue *)sysv_find(&queues, id);
}

static long create_queue(int key, int flags)
{
	struct queue *queue = kzalloc(sizeof(*queue));
	int id = queue ? sysv_add(&queues, &queue->object, key, flags) : -ENOMEM;
	if (id < 0)
		kfree(queue);
	else
		queue->told = (struct description){.changed = sysv_now(), .bytes_max = QUEUE_BYTES};
	return id;
}

long sys_msgget(int key, int flags)
{
	struct sysv_object *found;
	int error = sysv_find_key(&queues, key, flags, &found);
	if (error)
		return error;
	if (!found)
		return create_queue(key, flags);
	return sysv_permits(found, flags) ? found->id : -EACCES;
}

/* Waits until test(context) holds for a queue. Returns 0, -EIDRM or -EINTR. */
static int await_queue(struct queue *queue, const char *what, readiness_test test, const void *context)
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
	unsigned settings; /* of the queue, when the sender was last judged */
};

static bool has_room(const struct sender *sender)
{
	const struct description *told = &sender->queue->told;
	return told->bytes + sender->bytes <= told->bytes_max && told->messages < told->bytes_max;
}

static bool can_queue(const void *context)
{
	const struct sender *sender = context;
	return sender->queue->removed || sender->queue->settings != sender->settings || has_room(sender);
}

/* Reads a message of a program. Returns 0 or a negative errno. */
static int load_message(const int64_t *user, size_t bytes, struct message **out)
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

static void append_message(struct queue *queue, struct message *message)
{
	*(queue->last ? &queue->last->next : &queue->first) = message;
	queue->last = message;
	queue->told.bytes += message->bytes;
	queue->told.messages++;
	queue->told.sent = sysv_now();
	queue->told.sender = (int)process_current->id;
	readiness_wake_all(&queue->waiting);
}

/* Waits until a message may be appended. Returns 0 or a negative errno. */
static int await_room(struct queue *queue, size_t bytes, int flags)
{
	struct sender sender = {.queue = queue, .bytes = bytes};
	for (;;) {
		if (!sysv_permits(&queue->object, SYSV_WRITES))
			return -EACCES;
		if (has_room(&sender))
			return 0;
		sender.settings = queue->settings;
		int error = flags & SYSV_NOWAIT
		                    ? -EAGAIN
		                    : await_queue(queue, "room in a message queue (msgsnd)", can_queue, &sender);
		if (error)
			return error;
	}
}

long sys_msgsnd(int id, const void *user, unsigned long bytes, int flags)
{
	struct message *message;
	int error = load_message(user, bytes, &message);
	if (error)
		return error;
	struct queue *queue = find_queue(id);
	error = queue ? await_room(queue, bytes, flags) : -EINVAL;
	if (error)
		kfree(message);
	else
		append_message(queue, message);
	return error;
}

/* --- receiving --- */

struct receiver {
	const struct queue *queue;
	int64_t type; /* with MSG_COPY: the number of a message, from 0 */
	int flags;
	unsigned settings; /* of the queue, when the receiver was last judged */
};

static bool suits_receiver(const struct receiver *receiver, const struct message *message, int64_t number)
{
	if (receiver->flags & MSG_COPY)
		return receiver->type == number;
	if (receiver->type <= 0)
		return !receiver->type || message->type <= (receiver->type == INT64_MIN ? INT64_MAX : -receiver->type);
	return (message->type == receiver->type) == !(receiver->flags & MSG_EXCEPT);
}

/* The message to receive, and in *before the one before it; NULL: none. */
static struct message *choose_message(const struct receiver *receiver, struct message **before)
{
	struct message *found = NULL, *last = NULL;
	int64_t number = 0;
	for (struct message *message = receiver->queue->first; message; last = message, message = message->next) {
		if (!suits_receiver(receiver, message, number++) || (found && message->type >= found->type))
			continue;
		found = message;
		*before = last;
		if (receiver->type >= 0)
			break;
	}
	return found;
}

static bool can_dequeue(const void *context)
{
	const struct receiver *receiver = context;
	struct message *before;
	return receiver->queue->removed || receiver->queue->settings != receiver->settings ||
	       choose_message(receiver, &before);
}

/* Waits for a message. Returns 0 or a negative errno. */
static int await_message(struct queue *queue, struct receiver *receiver, struct message **message,
                         struct message **before)
{
	for (;;) {
		if (!sysv_permits(&queue->object, SYSV_READS))
			return -EACCES;
		*message = choose_message(receiver, before);
		if (*message)
			return 0;
		receiver->settings = queue->settings;
		int error = receiver->flags & SYSV_NOWAIT
		                    ? -ENOMSG
		                    : await_queue(queue, "a message (msgrcv)", can_dequeue, receiver);
		if (error)
			return error;
	}
}

static void take_message(struct queue *queue, struct message *message, struct message *before)
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

/* Copies at most `bytes` of a message to a program. Returns how many, or -EFAULT. */
static long store_message(const struct message *message, int64_t *user, size_t bytes)
{
	size_t count = bytes < message->bytes ? bytes : message->bytes;
	if (copy_to_user(user, &message->type, sizeof(message->type)) || copy_to_user(user + 1, message->text, count))
		return -EFAULT;
	return (long)count;
}

long sys_msgrcv(int id, void *user, unsigned long bytes, long type, int flags)
{
	if (id < 0 || (long)bytes < 0)
		return -EINVAL;
	if (flags & MSG_COPY && (flags & MSG_EXCEPT || !(flags & SYSV_NOWAIT)))
		return -EINVAL;
	struct queue *queue = find_queue(id);
	struct receiver receiver = {.queue = queue, .type = type, .flags = flags};
	struct message *message, *before = NULL;
	int error = queue ? await_message(queue, &receiver, &message, &before) : -EINVAL;
	if (error)
		return error;
	if (bytes < message->bytes && !(flags & MSG_NOERROR))
		return -E2BIG;
	if (flags & MSG_COPY) /* Linux copies whole messages only (copy_msg), whatever MSG_NOERROR says */
		return bytes < message->bytes ? -EINVAL : store_message(message, user, bytes);
	take_message(queue, message, before);
	long result = store_message(message, user, bytes);
	kfree(message);
	return result;
}

/* --- control --- */

static long remove_queue(struct queue *queue)
{
	if (!sysv_may_control(&queue->object))
		return -EPERM;
	sysv_remove(&queues, &queue->object);
	for (struct message *message = queue->first, *next; message; message = next) {
		next = message->next;
		kfree(message);
	}
	queue->first = queue->last = NULL;
	queue->removed = true;
	readiness_wake_all(&queue->waiting);
	if (!queue->waiters)
		kfree(queue);
	return 0;
}

static long set_queue(int id, const void *user)
{
	struct description wanted;
	if (copy_from_user(&wanted, user, sizeof(wanted)))
		return -EFAULT;
	struct queue *queue = find_queue(id);
	if (!queue)
		return -EINVAL;
	if (!sysv_may_control(&queue->object))
		return -EPERM;
	if (wanted.bytes_max > QUEUE_BYTES && !credentials_may(&process_self()->credentials, CAP_SYS_RESOURCE))
		return -EPERM;
	int error = sysv_set_permissions(&queue->object, &wanted.permissions);
	if (error)
		return error;
	queue->told.bytes_max = wanted.bytes_max;
	queue->told.changed = sysv_now();
	queue->settings++;
	readiness_wake_all(&queue->waiting);
	return 0;
}

static long describe_queue(const struct sysv_object *object, int command, void *user)
{
	const struct queue *queue = (const struct queue *)object;
	if (!queue)
		return -EINVAL;
	if (command != MSG_STAT_ANY && !sysv_permits(object, SYSV_READS))
		return -EACCES;
	struct description told = queue->told;
	told.permissions = object->permissions;
	return copy_to_user(user, &told, sizeof(told)) ? -EFAULT : command == SYSV_STAT ? 0 : object->id;
}

/* Limits of Linux (linux/msg.h); with MSG_INFO, what is in use takes the place of three that mean nothing. */
static long inform_of_queues(int command, void *user)
{
	struct information information = {
		.pool = QUEUES_MAX * (QUEUE_BYTES / 1024),
		.map = QUEUE_BYTES,
		.bytes_max = MESSAGE_BYTES_MAX,
		.queue_bytes = QUEUE_BYTES,
		.queues_max = QUEUES_MAX,
		.segment_bytes = 16,
		.total = QUEUE_BYTES,
		.segments = UINT16_MAX,
	};
	if (command == MSG_INFO) {
		information.pool = (int)queues.count;
		information.map = information.total = 0;
		for (size_t slot = 0; slot < queues.end; slot++) {
			const struct queue *queue = (const struct queue *)queues.slots[slot];
			information.map += queue ? (int)queue->told.messages : 0;
			information.total += queue ? (int)queue->told.bytes : 0;
		}
	}
	return copy_to_user(user, &information, sizeof(information)) ? -EFAULT : sysv_highest(&queues);
}

long sys_msgctl(int id, int command, void *user)
{
	struct queue *queue = find_queue(id);
	if (id < 0)
		return -EINVAL;
	switch (command) {
	case SYSV_INFO:
	case MSG_INFO:
		return inform_of_queues(command, user);
	case MSG_STAT:
	case MSG_STAT_ANY:
		return describe_queue(sysv_in_slot(&queues, id), command, user);
	case SYSV_STAT:
		return describe_queue(sysv_find(&queues, id), command, user);
	case SYSV_SET:
		return set_queue(id, user);
	case SYSV_RMID:
		return queue ? remove_queue(queue) : -EINVAL;
	default:
		return -EINVAL;
	}
}

void sysv_msg_list(struct text *text)
{
	text_print(text, "       key      msqid perms      cbytes       qnum lspid lrpid   uid   gid  cuid  cgid      "
	                 "stime      rtime      ctime\n");
	for (size_t slot = 0; slot < queues.end; slot++) {
		const struct queue *queue = (const struct queue *)queues.slots[slot];
		if (!queue)
			continue;
		const struct description *told = &queue->told;
		sysv_list_object(&queue->object, text);
		text_print(text, " %10lu %10lu %5u %5u", told->bytes, told->messages, (unsigned)told->sender,
		           (unsigned)told->receiver);
		sysv_list_owners(&queue->object, text);
		text_print(text, " %10ld %10ld %10ld\n", told->sent, told->received, told->changed);
	}
}
