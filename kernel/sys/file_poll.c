/* SPDX-License-Identifier: MIT */
/* Readiness: poll(2), ppoll(2), select(2), pselect(2). Who waits looks again whenever some file has changed. */
#include "abi/errno.h"
#include "abi/linux.h"
#include "kernel/arch/uaccess.h"
#include "kernel/lib/string.h"
#include "kernel/mm/kmalloc.h"
#include "kernel/sched/sched.h"
#include "kernel/signal/signal.h"
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

/* What holds for a descriptor now. */
static unsigned int events_of(int fd)
{
	struct file *file = fdtable_get(&vfs_current->fds, fd);
	if (!file || (file->flags & LINUX_O_PATH))
		return LINUX_POLLNVAL;
	if (!file->ops->poll)
		return LINUX_POLLIN | LINUX_POLLRDNORM | LINUX_POLLOUT | LINUX_POLLWRNORM;
	return file->ops->poll(file);
}

/* The virtual time at which a timeout ends. */
static uint64_t deadline_after(uint64_t ns)
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
		*deadline = deadline_after((uint64_t)ts.tv_sec * NS_PER_S + (uint64_t)ts.tv_nsec);
	return 0;
}

/** Looks for what is ready: how much, or a negative errno. */
typedef int (*scan_function)(void *context);

static int wait_for(uint64_t deadline, const char *what, scan_function scan, void *context)
{
	for (;;) {
		int ready = scan(context);
		if (ready)
			return ready;
		int error = readiness_wait_any(deadline, what);
		if (error)
			return error == -ETIMEDOUT ? 0 : error;
	}
}

/* Waits until something is ready, under another signal mask when there is one. How much; 0 at the deadline; -EINTR, or
 * what `scan` says. */
static int wait_with_mask(uint64_t deadline, const uint64_t *mask, const char *what, scan_function scan, void *context)
{
	struct thread_signals *signals = &thread_current->signals;
	uint64_t saved = signals->blocked;
	if (mask)
		signal_set_blocked(*mask & ~UNBLOCKABLE);
	int result = wait_for(deadline, what, scan, context);
	if (!mask)
		return result;
	if (result == -EINTR) { /* the handler runs under the mask, on the way out */
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

/** What poll looks at. */
struct poll_set {
	struct linux_pollfd *fds;
	unsigned int count;
};

static int scan_poll(void *context)
{
	struct poll_set *set = context;
	int ready = 0;
	for (unsigned int i = 0; i < set->count; i++) {
		struct linux_pollfd *fd = &set->fds[i];
		unsigned int events = fd->fd < 0 ? 0 : events_of(fd->fd);
		fd->revents = (int16_t)(events & ((unsigned int)fd->events | ALWAYS | LINUX_POLLNVAL));
		ready += fd->revents != 0;
	}
	return ready;
}

static long poll_until(struct linux_pollfd *user, unsigned int count, uint64_t deadline, const uint64_t *mask)
{
	if (count > vfs_current->fds.limit)
		return -EINVAL;
	struct linux_pollfd *fds = kmalloc((count + 1) * sizeof(*fds));
	if (!fds)
		return -ENOMEM;
	struct poll_set set = {fds, count};
	long result = copy_from_user(fds, user, count * sizeof(*fds));
	if (result == 0)
		result = wait_with_mask(deadline, mask, "poll", scan_poll, &set);
	for (unsigned int i = 0; result >= 0 && i < count; i++) {
		if (copy_to_user(&user[i].revents, &fds[i].revents, sizeof(fds[i].revents)) < 0)
			result = -EFAULT;
	}
	kfree(fds);
	return result;
}

long sys_poll(struct linux_pollfd *fds, unsigned int count, int timeout_ms)
{
	uint64_t deadline = timeout_ms < 0 ? SCHED_FOREVER : deadline_after((uint64_t)timeout_ms * MILLISECOND_NS);
	return poll_until(fds, count, deadline, NULL);
}

/* What is left of a timeout, as Linux tells select, pselect6 and ppoll. */
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

/** The three sets of select, as asked and as found. */
struct select_sets {
	int nfds;
	struct linux_fd_set asked[3];
	struct linux_fd_set found[3];
};

static int scan_select(void *context)
{
	struct select_sets *sets = context;
	static const unsigned int wanted[3] = {READY_READ, READY_WRITE, LINUX_POLLPRI};
	int ready = 0;
	for (int fd = 0; fd < sets->nfds; fd++) {
		uint64_t bit = 1UL << (fd % 64);
		int word = fd / 64;
		if (!((sets->asked[0].fds_bits[word] | sets->asked[1].fds_bits[word] | sets->asked[2].fds_bits[word]) &
		      bit))
			continue;
		unsigned int events = events_of(fd);
		if (events & LINUX_POLLNVAL)
			return -EBADF;
		for (int i = 0; i < 3; i++) {
			if ((sets->asked[i].fds_bits[word] & bit) && (events & wanted[i])) {
				sets->found[i].fds_bits[word] |= bit;
				ready++;
			}
		}
	}
	return ready;
}

static long select_until(int nfds, struct linux_fd_set *const user[3], uint64_t deadline, const uint64_t *mask)
{
	if (nfds < 0)
		return -EINVAL;
	if (nfds > FDTABLE_MAX)
		nfds = FDTABLE_MAX;
	size_t bytes = ((size_t)nfds + 63) / 64 * 8;
	struct select_sets *sets = kzalloc(sizeof(*sets));
	if (!sets)
		return -ENOMEM;
	long result = 0;
	for (int i = 0; result == 0 && i < 3; i++) {
		if (user[i])
			result = copy_from_user(&sets->asked[i], user[i], bytes);
	}
	sets->nfds = nfds;
	if (result == 0)
		result = wait_with_mask(deadline, mask, "select", scan_select, sets);
	for (int i = 0; result >= 0 && i < 3; i++) {
		if (user[i] && copy_to_user(user[i], &sets->found[i], bytes) < 0)
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
			deadline = deadline_after(sec * NS_PER_S + (uint64_t)tv.tv_usec % 1000000 * 1000);
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
