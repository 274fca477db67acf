/* SPDX-License-Identifier: MIT */
/* System V semaphores: semget(2), semop(2), semctl(2). All operations of a call are done at once, or none. What
 * SEM_UNDO takes back belongs to the process and is applied when it ends. A thread that waits holds its set. */
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
#include "kernel/time/timespec.h"
#include "kernel/time/vclock.h"
#include "kernel/vfs/readiness.h"

#define GETPID 11
#define GETVAL 12
#define GETALL 13
#define GETNCNT 14
#define GETZCNT 15
#define SETVAL 16
#define SETALL 17
#define SEM_STAT 18
#define SEM_INFO 19
#define SEM_STAT_ANY 20
#define SEM_UNDO 0x1000

#define VALUE_MAX 32767                     /* SEMVMX */
#define OPERATIONS_MAX 500                  /* kernel.sem: semopm */
#define SEMAPHORES_MAX 32000                /* semmsl */
#define SETS_MAX 32000                      /* semmni */
#define ALL_MAX (SETS_MAX * SEMAPHORES_MAX) /* semmns: semaphores of all sets */

/* struct semid64_ds of asm/sembuf.h. */
struct description {
	struct sysv_permissions permissions;     /* set when the description is copied to a program */
	int64_t used, unused1, changed, unused2; /* seconds since 1970 */
	uint64_t count, unused3, unused4;
};

_Static_assert(sizeof(struct description) == 104, "semid64_ds");

/* struct seminfo. */
struct information {
	int map, sets_max, all_max, undo_max, semaphores_max, operations_max, undo_operations_max, undo_bytes,
		value_max, adjust_max;
};

struct semaphore {
	int value, pid;
};

/* What a process's end adds to the values of a set. */
struct undo {
	struct undo *next;
	uint32_t process;
	int more[];
};

struct set {
	struct sysv_object object;
	unsigned waiters;
	bool removed;
	struct undo *undos;
	struct readiness_queue waiting;
	struct description told;
	struct semaphore semaphores[];
};

/* struct sembuf. */
struct operation {
	uint16_t number;
	int16_t change, flags;
};

/* The operations of a call. */
struct request {
	struct set *set;
	struct operation *operations;
	struct undo *undo; /* NULL: no operation has SEM_UNDO */
	unsigned count;
	int process; /* that calls */
	int outcome; /* of perform_operations; above 0 it waits */
};

static struct sysv_table sets = {.limit = SETS_MAX};
static int all_count; /* semaphores of all sets */

static struct set *find_set(int id)
{
	return (struct set *)sysv_find(&sets, id);
}

static long create_set(int key, int count, int flags)
{
	if (!count)
		return -EINVAL;
	if (count > ALL_MAX - all_count)
		return -ENOSPC;
	struct set *set = kzalloc(sizeof(*set) + (size_t)count * sizeof(set->semaphores[0]));
	int id = set ? sysv_add(&sets, &set->object, key, flags) : -ENOMEM;
	if (id < 0) {
		kfree(set);
		return id;
	}
	set->told = (struct description){.changed = sysv_now(), .count = (uint64_t)count};
	all_count += count;
	return id;
}

long sys_semget(int key, int count, int flags)
{
	struct sysv_object *found;
	if (count < 0 || count > SEMAPHORES_MAX)
		return -EINVAL;
	int error = sysv_find_key(&sets, key, flags, &found);
	if (error)
		return error;
	if (!found)
		return create_set(key, count, flags);
	if ((uint64_t)count > ((const struct set *)found)->told.count)
		return -EINVAL;
	return sysv_permits(found, flags) ? found->id : -EACCES;
}

/* --- operations --- */

/* Takes back the first `count` operations. */
static void revert_operations(const struct request *request, unsigned count)
{
	while (count-- > 0) {
		const struct operation *operation = &request->operations[count];
		request->set->semaphores[operation->number].value -= operation->change;
		if (operation->flags & SEM_UNDO)
			request->undo->more[operation->number] += operation->change;
	}
}

/* Does all operations. Returns 0; -ERANGE; or with nothing done the number, from 1, of the one that must wait. */
static int perform_operations(const struct request *request)
{
	for (unsigned i = 0; i < request->count; i++) {
		const struct operation *operation = &request->operations[i];
		int *value = &request->set->semaphores[operation->number].value;
		const int wanted = *value + operation->change;
		bool waits = operation->change ? wanted < 0 : *value != 0, is_far = wanted > VALUE_MAX;
		if (operation->flags & SEM_UNDO && operation->change) {
			int more = request->undo->more[operation->number] - operation->change;
			is_far |= more < -VALUE_MAX - 1 || more > VALUE_MAX;
		}
		if (waits || is_far) {
			revert_operations(request, i);
			return waits ? (int)i + 1 : -ERANGE;
		}
		*value = wanted;
		if (operation->flags & SEM_UNDO)
			request->undo->more[operation->number] -= operation->change;
	}
	return 0;
}

static bool is_served(const void *context)
{
	const struct request *request = context;
	return request->set->removed || request->outcome <= 0;
}

/* Records that a call has done its operations. */
static void note_operations(const struct request *request)
{
	struct set *set = request->set;
	for (unsigned i = 0; i < request->count; i++)
		set->semaphores[request->operations[i].number].pid = request->process;
	set->told.used = sysv_now();
}

/* After a change of values: does what other calls wait for, the longest wait first, as Linux does in the call that
 * makes the change. */
static void serve_set(struct set *set)
{
	for (const struct readiness_waiter *waiter = set->waiting.first; waiter;) {
		struct request *request = (struct request *)waiter->context;
		waiter = waiter->next;
		if (is_served(request) || (request->outcome = perform_operations(request)) > 0)
			continue;
		if (request->outcome == 0) {
			note_operations(request);
			waiter = set->waiting.first; /* others may go on now */
		}
	}
	readiness_wake_all(&set->waiting);
}

/* The undo of the running process for a set; NULL without memory. */
static struct undo *undo_of(struct set *set)
{
	for (struct undo *undo = set->undos; undo; undo = undo->next)
		if (undo->process == process_current->id)
			return undo;
	struct undo *undo = kzalloc(sizeof(*undo) + set->told.count * sizeof(undo->more[0]));
	if (!undo)
		return NULL;
	undo->process = process_current->id;
	undo->next = set->undos;
	set->undos = undo;
	return undo;
}

static void free_set(struct set *set)
{
	for (struct undo *undo = set->undos, *next; undo; undo = next) {
		next = undo->next;
		kfree(undo);
	}
	kfree(set);
}

/* Checks the operations against their set and its permissions, and finds the undo. Returns 0 or a negative errno. */
static int prepare_request(struct request *request)
{
	bool undoes = false, alters = false;
	for (unsigned i = 0; i < request->count; i++) {
		if (request->operations[i].number >= request->set->told.count)
			return -EFBIG;
		undoes |= request->operations[i].flags & SEM_UNDO;
		alters |= request->operations[i].change != 0;
	}
	if (!sysv_permits(&request->set->object, alters ? SYSV_WRITES : SYSV_READS))
		return -EACCES;
	request->undo = undoes ? undo_of(request->set) : NULL;
	return undoes && !request->undo ? -ENOMEM : 0;
}

/* Does the operations, after a wait if need be. */
static int run_request(struct request *request, uint64_t deadline)
{
	struct set *set = request->set;
	request->outcome = perform_operations(request);
	if (request->outcome > 0 && request->operations[request->outcome - 1].flags & SYSV_NOWAIT)
		return -EAGAIN;
	if (request->outcome == 0) {
		note_operations(request);
		serve_set(set);
	}
	while (request->outcome > 0) {
		set->waiters++;
		int error = readiness_wait(&set->waiting, deadline, "a semaphore (semop)", is_served, request);
		set->waiters--;
		if (set->removed) {
			if (!set->waiters)
				free_set(set);
			return request->outcome > 0 ? -EIDRM : request->outcome;
		}
		if (error && request->outcome > 0)
			return error == -ETIMEDOUT ? -EAGAIN : error;
	}
	return request->outcome;
}

static long operate(int id, void *user, unsigned long count, uint64_t deadline)
{
	struct request request = {.count = (unsigned)count, .process = (int)process_current->id};
	if (count < 1 || id < 0)
		return -EINVAL;
	if (count > OPERATIONS_MAX)
		return -E2BIG;
	request.operations = kmalloc(count * sizeof(struct operation));
	if (!request.operations)
		return -ENOMEM;
	int error = copy_from_user(request.operations, user, count * sizeof(struct operation));
	if (!error) {
		request.set = find_set(id);
		error = request.set ? prepare_request(&request) : -EINVAL;
	}
	if (!error)
		error = run_request(&request, deadline);
	kfree(request.operations);
	return error;
}

long sys_semop(int id, void *operations, unsigned long count)
{
	return operate(id, operations, count, SCHED_FOREVER);
}

long sys_semtimedop(int id, void *operations, unsigned long count, const struct linux_timespec *timeout)
{
	struct linux_timespec ts;
	if (!timeout)
		return operate(id, operations, count, SCHED_FOREVER);
	if (copy_from_user(&ts, timeout, sizeof(ts)))
		return -EFAULT;
	if (ts.tv_sec < 0 || ts.tv_nsec < 0 || ts.tv_nsec >= NS_PER_S)
		return -EINVAL;
	bool is_far = (uint64_t)ts.tv_sec >= SCHED_FOREVER / NS_PER_S / 2;
	return operate(id, operations, count, is_far ? SCHED_FOREVER : vclock_now() + (uint64_t)timespec_to_ns(&ts));
}

void sysv_sem_undo(void)
{
	for (size_t slot = 0; slot < sets.end; slot++) {
		struct set *set = (struct set *)sets.slots[slot];
		for (struct undo **link = set ? &set->undos : NULL, *undo; link && (undo = *link); link = &undo->next) {
			if (undo->process != process_current->id)
				continue;
			for (uint64_t i = 0; i < set->told.count; i++) {
				struct semaphore *semaphore = &set->semaphores[i];
				int value = semaphore->value + undo->more[i];
				if (!undo->more[i])
					continue;
				semaphore->value = value < 0 ? 0 : value > VALUE_MAX ? VALUE_MAX : value;
				semaphore->pid = (int)process_current->id;
			}
			*link = undo->next;
			kfree(undo);
			set->told.used = sysv_now();
			serve_set(set);
			break;
		}
	}
}

/* --- control --- */

static long remove_set(struct set *set)
{
	if (!sysv_may_control(&set->object))
		return -EPERM;
	sysv_remove(&sets, &set->object);
	all_count -= (int)set->told.count;
	set->removed = true;
	readiness_wake_all(&set->waiting);
	if (!set->waiters)
		free_set(set);
	return 0;
}

/* Counts the calls that wait for a semaphore to grow, or to be zero. */
static long waiters_of(const struct set *set, int number, bool for_zero)
{
	long count = 0;
	for (const struct readiness_waiter *waiter = set->waiting.first; waiter; waiter = waiter->next) {
		const struct request *request = waiter->context;
		if (is_served(request))
			continue;
		const struct operation *operation = &request->operations[request->outcome - 1];
		count += operation->number == number && (operation->change == 0) == for_zero;
	}
	return count;
}

/* Sets a value; nothing is taken back of it any more. */
static void assign_value(struct set *set, uint64_t number, int value)
{
	set->semaphores[number].value = value;
	set->semaphores[number].pid = (int)process_current->id;
	for (struct undo *undo = set->undos; undo; undo = undo->next)
		undo->more[number] = 0;
}

static long get_values(const struct set *set, uint16_t *user)
{
	for (uint64_t i = 0; i < set->told.count; i++) {
		uint16_t value = (uint16_t)set->semaphores[i].value;
		if (copy_to_user(&user[i], &value, sizeof(value)))
			return -EFAULT;
	}
	return 0;
}

static long set_values(struct set *set, const uint16_t *user)
{
	uint16_t *values = kmalloc(set->told.count * sizeof(*values));
	long error = !values ? -ENOMEM : copy_from_user(values, user, set->told.count * sizeof(*values)) ? -EFAULT : 0;
	for (uint64_t i = 0; !error && i < set->told.count; i++)
		error = values[i] > VALUE_MAX ? -ERANGE : 0;
	for (uint64_t i = 0; !error && i < set->told.count; i++)
		assign_value(set, i, values[i]);
	kfree(values);
	if (error)
		return error;
	set->told.changed = sysv_now();
	serve_set(set);
	return 0;
}

static long change_set(int id, const void *user)
{
	struct description wanted;
	if (copy_from_user(&wanted, user, sizeof(wanted)))
		return -EFAULT;
	struct set *set = find_set(id);
	int error = set ? sysv_set_permissions(&set->object, &wanted.permissions) : -EINVAL;
	if (!error)
		set->told.changed = sysv_now();
	return error;
}

static long describe_set(const struct sysv_object *object, int command, void *user)
{
	const struct set *set = (const struct set *)object;
	if (!set)
		return -EINVAL;
	if (command != SEM_STAT_ANY && !sysv_permits(object, SYSV_READS))
		return -EACCES;
	struct description told = set->told;
	told.permissions = object->permissions;
	return copy_to_user(user, &told, sizeof(told)) ? -EFAULT : command == SYSV_STAT ? 0 : object->id;
}

/* Limits of Linux (linux/sem.h); with SEM_INFO, what is in use takes the place of two of them. */
static long inform_of_sets(int command, void *user)
{
	const struct information information = {
		.map = ALL_MAX,
		.sets_max = SETS_MAX,
		.all_max = ALL_MAX,
		.undo_max = ALL_MAX,
		.semaphores_max = SEMAPHORES_MAX,
		.operations_max = OPERATIONS_MAX,
		.undo_operations_max = OPERATIONS_MAX,
		.undo_bytes = command == SEM_INFO ? (int)sets.count : 20,
		.value_max = VALUE_MAX,
		.adjust_max = command == SEM_INFO ? all_count : VALUE_MAX,
	};
	return copy_to_user(user, &information, sizeof(information)) ? -EFAULT : sysv_highest(&sets);
}

static long set_value(int id, int number, int value)
{
	struct set *set = find_set(id);
	if (value < 0 || value > VALUE_MAX)
		return -ERANGE;
	if (!set || number < 0 || (uint64_t)number >= set->told.count)
		return -EINVAL;
	if (!sysv_permits(&set->object, SYSV_WRITES))
		return -EACCES;
	assign_value(set, (uint64_t)number, value);
	set->told.changed = sysv_now();
	serve_set(set);
	return 0;
}

static long get_of_semaphore(const struct set *set, int number, int command)
{
	if (number < 0 || (uint64_t)number >= set->told.count)
		return -EINVAL;
	switch (command) {
	case GETVAL:
		return set->semaphores[number].value;
	case GETPID:
		return set->semaphores[number].pid;
	default:
		return waiters_of(set, number, command == GETZCNT);
	}
}

/* Commands about the values of a set that exists. */
static long control_values(int id, int number, int command, unsigned long argument)
{
	struct set *set = find_set(id);
	if (!set)
		return -EINVAL;
	if (!sysv_permits(&set->object, command == SETALL ? SYSV_WRITES : SYSV_READS))
		return -EACCES;
	if (command == GETALL)
		return get_values(set, (uint16_t *)argument);
	if (command == SETALL)
		return set_values(set, (const uint16_t *)argument);
	return get_of_semaphore(set, number, command);
}

long sys_semctl(int id, int number, int command, unsigned long argument)
{
	struct set *set = find_set(id);
	if (id < 0)
		return -EINVAL;
	switch (command) {
	case SYSV_INFO:
	case SEM_INFO:
		return inform_of_sets(command, (void *)argument);
	case SEM_STAT:
	case SEM_STAT_ANY:
		return describe_set(sysv_in_slot(&sets, id), command, (void *)argument);
	case SYSV_STAT:
		return describe_set(sysv_find(&sets, id), command, (void *)argument);
	case SYSV_SET:
		return change_set(id, (const void *)argument);
	case SYSV_RMID:
		return set ? remove_set(set) : -EINVAL;
	case SETVAL:
		return set_value(id, number, (int)argument);
	case GETALL:
	case SETALL:
	case GETVAL:
	case GETPID:
	case GETNCNT:
	case GETZCNT:
		return control_values(id, number, command, argument);
	default:
		return -EINVAL;
	}
}

void sysv_sem_list(struct text *text)
{
	text_print(text, "       key      semid perms      nsems   uid   gid  cuid  cgid      otime      ctime\n");
	for (size_t slot = 0; slot < sets.end; slot++) {
		const struct set *set = (const struct set *)sets.slots[slot];
		if (!set)
			continue;
		sysv_list_object(&set->object, text);
		text_print(text, "%10lu", set->told.count);
		sysv_list_owners(&set->object, text);
		text_print(text, " %10ld %10ld\n", set->told.used, set->told.changed);
	}
}
