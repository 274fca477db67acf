/* SPDX-License-Identifier: MIT */
/* Readiness: poll(2), ppoll(2), select(2), pselect(2). As on Linux, a wait holds the files that were open when it
 * began. When one of them is ready, the result is about the files that the numbers refer to then. */
#include "abi/errno.h"
#include "abi/linux.h"
#include "kernel/arch/uaccess.h"
#include "kernel/lib/string.h"
#include "kernel/mm/kmalloc.h"
#include "kernel/personality.h"
#include "kernel/sched/sched.h"
#include "kernel/signal/signal.h"
#include "kernel/sys/kcall.h"
#include "kernel/sys/sys.h"
#include "kernel/time/timespec.h"
#include "kernel/time/vclock.h"
#include "kernel/vfs/readiness.h"
#include "kernel/vfs/vfs.h"

#define MILLISECOND_NS 1000000ULL
#define UNBLOCKABLE (signal_bit(LINUX_SIGKILL) | signal_bit(LINUX_SIGSTOP))
#define ALWAYS (LINUX_POLLERR | LINUX_POLLHUP)
#define READY_READ (LINUX_POLLIN | LINUX_POLLRDNORM | LINUX_POLLHUP | LINUX_POLLERR)
#define READY_WRITE (LINUX_POLLOUT | LINUX_POLLWRNORM | LINUX_POLLERR)

/* The events that hold for a descriptor now. */
static unsigned int descriptor_events(int fd)
{
	struct file *file = fdtable_get(&process_current->files->fds, fd);
	if (!file || (file->flags & LINUX_O_PATH))
		return LINUX_POLLNVAL;
	if (!file->ops->poll)
		return LINUX_POLLIN | LINUX_POLLRDNORM | LINUX_POLLOUT | LINUX_POLLWRNORM;
	return file->ops->poll(file);
}

/* The virtual time at which a timeout ends. */
static uint64_t poll_deadline_after(uint64_t ns)
{
	uint64_t now = vclock_now();
	return ns < SCHED_FOREVER - now ? now + ns : SCHED_FOREVER - 1;
}

/* Reads a timeout; a null pointer is none. 0 or a negative errno. */
static int deadline_from(const struct linux_timespec *user, uint64_t *deadline)
{
	struct linux_timespec ts;
	*deadline = SCHED_FOREVER;
	if (!user)
		return 0;
	if (copy_from_user(&ts, user, sizeof(ts)) < 0)
		return -EFAULT;
	if (ts.tv_sec < 0 || ts.tv_nsec < 0 || ts.tv_nsec >= NS_PER_S)
		return -EINVAL;
	if ((uint64_t)ts.tv_sec < SCHED_FOREVER / NS_PER_S / 2)
		*deadline = poll_deadline_after((uint64_t)ts.tv_sec * NS_PER_S + (uint64_t)ts.tv_nsec);
	return 0;
}

/** A file to wait for, with a reference, until one of these events holds. */
struct watch {
	struct file *file;
	unsigned int events;
};

struct watches {
	struct watch *watch;
	unsigned int count;
};

/** A call: finds what is ready (the number, or a negative errno), and lists the files to wait for. */
struct poll_call {
	const char *name;
	unsigned int most; /**< files */
	int (*scan)(struct poll_call *call);
	void (*watch)(const struct poll_call *call, struct watches *watches);
};

/* Adds the file of a number that the scan found open but not ready. */
static void watch_file(struct watches *watches, int fd, unsigned int events)
{
	struct file *file = file_get(fdtable_get(&process_current->files->fds, fd));
	watches->watch[watches->count++] = (struct watch){file, events};
}

static bool is_any_ready(const void *context)
{
	const struct watches *watches = context;
	for (unsigned int i = 0; i < watches->count; i++) {
		struct file *file = watches->watch[i].file;
		/* A file without poll is always ready, but perhaps not for the requested events. */
		if (file->ops->poll && file->ops->poll(file) & watches->watch[i].events)
			return true;
	}
	return false;
}

/* Waits until something is ready. Returns the number; 0 at the deadline; -EINTR, or another negative errno. */
static int wait_for_events(uint64_t deadline, struct poll_call *call)
{
	int result = call->scan(call);
	if (!result && kcall_look && deadline <= vclock_now()) {
		kcall_look(); /* a call that does not wait sees what has come by now */
		result = call->scan(call);
	}
	if (result)
		return result;
	struct watches watches = {kmalloc((call->most + 1) * sizeof(struct watch)), 0};
	if (!watches.watch)
		return -ENOMEM;
	call->watch(call, &watches);
	while (result == 0) {
		result = readiness_wait(&readiness_polling, deadline, call->name, is_any_ready, &watches);
		if (result < 0)
			break;
		result = call->scan(call);
	}
	for (unsigned int i = 0; i < watches.count; i++)
		file_put(watches.watch[i].file);
	kfree(watches.watch);
	return result == -ETIMEDOUT ? 0 : result;
}

/* Waits with another signal mask, if there is one. */
static int poll_with_mask(uint64_t deadline, const uint64_t *mask, struct poll_call *call)
{
	struct thread_signals *signals = &thread_current->signals;
	uint64_t saved = signals->blocked;
	if (mask)
		signal_set_blocked(*mask & ~UNBLOCKABLE);
	int result = wait_for_events(deadline, call);
	if (!mask)
		return result;
	if (result == -EINTR) { /* the handler runs under this mask, at the return */
		signals->saved_mask = saved;
		signals->restore_mask = true;
	} else {
		signal_set_blocked(saved);
	}
	return result;
}

static int copy_mask(const unsigned long *user, unsigned long bytes, uint64_t *mask)
{
	if (!user)
		return 0;
	if (bytes != sizeof(*mask))
		return -EINVAL;
	return copy_from_user(mask, user, sizeof(*mask));
}

/** The descriptors of a poll call. */
struct poll_set {
	struct poll_call call;
	struct linux_pollfd *fds;
};

static int scan_poll(struct poll_call *call)
{
	struct poll_set *set = (struct poll_set *)call;
	int ready = 0;
	for (unsigned int i = 0; i < call->most; i++) {
		struct linux_pollfd *fd = &set->fds[i];
		unsigned int events = fd->fd < 0 ? 0 : descriptor_events(fd->fd);
		fd->revents = (int16_t)(events & ((unsigned int)fd->events | ALWAYS | LINUX_POLLNVAL));
		ready += fd->revents != 0;
	}
	return ready;
}

static void watch_poll(const struct poll_call *call, struct watches *watches)
{
	const struct poll_set *set = (const struct poll_set *)call;
	for (unsigned int i = 0; i < call->most; i++) {
		const struct linux_pollfd *fd = &set->fds[i];
		if (fd->fd >= 0)
			watch_file(watches, fd->fd, (unsigned int)fd->events | ALWAYS);
	}
}

static long poll_until(struct linux_pollfd *user, unsigned int count, uint64_t deadline, const uint64_t *mask)
{
	if (count > fdtable_limit())
		return -EINVAL;
	struct linux_pollfd *fds = kmalloc((count + 1) * sizeof(*fds));
	if (!fds)
		return -ENOMEM;
	struct poll_set set = {{"poll", count, scan_poll, watch_poll}, fds};
	long result = copy_from_user(fds, user, count * sizeof(*fds));
	if (result == 0)
		result = poll_with_mask(deadline, mask, &set.call);
	for (unsigned int i = 0; result >= 0 && i < count; i++) {
		if (copy_to_user(&user[i].revents, &fds[i].revents, sizeof(fds[i].revents)) < 0)
			result = -EFAULT;
	}
	kfree(fds);
	return result;
}

long sys_poll(struct linux_pollfd *fds, unsigned int count, int timeout_ms)
{
	uint64_t deadline = timeout_ms < 0 ? SCHED_FOREVER : poll_deadline_after((uint64_t)timeout_ms * MILLISECOND_NS);
	return poll_until(fds, count, deadline, NULL);
}

/* The rest of a timeout, which Linux returns from select, pselect6 and ppoll. */
static struct linux_timespec remaining(uint64_t deadline)
{
	uint64_t now = vclock_now(), left = deadline > now ? deadline - now : 0;
	return timespec_from_ns((int64_t)left);
}

long sys_ppoll(struct linux_pollfd *fds, unsigned int count, const struct linux_timespec *timeout,
               const unsigned long *sigmask, unsigned long set_bytes)
{
	uint64_t deadline, mask;
	int error = deadline_from(timeout, &deadline);
	if (error == 0)
		error = copy_mask(sigmask, set_bytes, &mask);
	if (error < 0)
		return error;
	long result = poll_until(fds, count, deadline, sigmask ? &mask : NULL);
	if (timeout && deadline != SCHED_FOREVER) {
		struct linux_timespec left = remaining(deadline);
		copy_to_user((void *)timeout, &left, sizeof(left));
	}
	return result;
}

/** The three sets of select, requested and found: one bit for each descriptor below `nfds`, which may be more than
 * struct linux_fd_set has. */
struct select_sets {
	struct poll_call call;
	uint64_t *asked[3];
	uint64_t *found[3];
	uint64_t words[];
};

static const unsigned int select_events[3] = {READY_READ, READY_WRITE, LINUX_POLLPRI};

static bool is_in_set(const uint64_t *set, int fd)
{
	return set[fd / 64] & 1UL << (fd % 64);
}

/* The requested events of a number, by the sets that it is in. */
static unsigned int events_asked(const struct select_sets *sets, int fd)
{
	unsigned int events = 0;
	for (int i = 0; i < 3; i++)
		events |= is_in_set(sets->asked[i], fd) ? select_events[i] : 0;
	return events;
}

static int scan_select(struct poll_call *call)
{
	struct select_sets *sets = (struct select_sets *)call;
	int ready = 0;
	for (int fd = 0; fd < (int)call->most; fd++) {
		if (!events_asked(sets, fd))
			continue;
		unsigned int events = descriptor_events(fd);
		if (events & LINUX_POLLNVAL)
			return -EBADF;
		for (int i = 0; i < 3; i++) {
			if (is_in_set(sets->asked[i], fd) && (events & select_events[i])) {
				sets->found[i][fd / 64] |= 1UL << (fd % 64);
				ready++;
			}
		}
	}
	return ready;
}

static void watch_select(const struct poll_call *call, struct watches *watches)
{
	for (int fd = 0; fd < (int)call->most; fd++) {
		unsigned int events = events_asked((const struct select_sets *)call, fd);
		if (events)
			watch_file(watches, fd, events);
	}
}

static long select_until(int nfds, struct linux_fd_set *const user[3], uint64_t deadline, const uint64_t *mask)
{
	if (nfds < 0)
		return -EINVAL;
	int most = (int)process_current->files->fds.room; /* Linux ignores descriptors beyond the table's size */
	nfds = nfds < most ? nfds : most;
	size_t words = ((size_t)nfds + 63) / 64, bytes = words * 8;
	struct select_sets *sets = kzalloc(sizeof(*sets) + 6 * bytes);
	if (!sets)
		return -ENOMEM;
	long result = 0;
	for (unsigned int i = 0; result == 0 && i < 3; i++) {
		sets->asked[i] = sets->words + 2 * i * words;
		sets->found[i] = sets->asked[i] + words;
		if (user[i])
			result = copy_from_user(sets->asked[i], user[i], bytes);
	}
	sets->call = (struct poll_call){"select", (unsigned int)nfds, scan_select, watch_select};
	if (result == 0)
		result = poll_with_mask(deadline, mask, &sets->call);
	for (int i = 0; result >= 0 && i < 3; i++) {
		if (user[i] && copy_to_user(user[i], sets->found[i], bytes) < 0)
			result = -EFAULT;
	}
	kfree(sets);
	return result;
}

long sys_select(int nfds, struct linux_fd_set *r, struct linux_fd_set *w, struct linux_fd_set *e,
                struct linux_timeval *timeout)
{
	struct linux_timeval tv;
	uint64_t deadline = SCHED_FOREVER;
	if (timeout) {
		if (copy_from_user(&tv, timeout, sizeof(tv)) < 0)
			return -EFAULT;
		if (tv.tv_sec < 0 || tv.tv_usec < 0)
			return -EINVAL;
		uint64_t sec = (uint64_t)tv.tv_sec + (uint64_t)tv.tv_usec / 1000000;
		if (sec < SCHED_FOREVER / NS_PER_S / 2)
			deadline = poll_deadline_after(sec * NS_PER_S + (uint64_t)tv.tv_usec % 1000000 * 1000);
	}
	struct linux_fd_set *const sets[3] = {r, w, e};
	long result = select_until(nfds, sets, deadline, NULL);
	if (timeout && deadline != SCHED_FOREVER) {
		struct linux_timespec left = remaining(deadline);
		tv = (struct linux_timeval){left.tv_sec, left.tv_nsec / 1000};
		copy_to_user(timeout, &tv, sizeof(tv));
	}
	return result;
}

long sys_pselect6(int nfds, struct linux_fd_set *r, struct linux_fd_set *w, struct linux_fd_set *e,
                  const struct linux_timespec *timeout, const void *sigmask)
{
	/* The sixth argument is a pointer to the mask and its size. */
	struct {
		const unsigned long *set;
		unsigned long bytes;
	} argument = {NULL, 0};
	uint64_t deadline, mask;
	int error = deadline_from(timeout, &deadline);
	if (error == 0 && sigmask)
		error = copy_from_user(&argument, sigmask, sizeof(argument));
	if (error == 0)
		error = copy_mask(argument.set, argument.bytes, &mask);
	if (error < 0)
		return error;
	struct linux_fd_set *const sets[3] = {r, w, e};
	long result = select_until(nfds, sets, deadline, argument.set ? &mask : NULL);
	if (timeout && deadline != SCHED_FOREVER) {
		struct linux_timespec left = remaining(deadline);
		copy_to_user((void *)timeout, &left, sizeof(left));
	}
	return result;
}
