/* SPDX-License-Identifier: MIT */
#include "base/inherited.h"

#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/personality.h>
#include <unistd.h>

#include "base/own_path.h"

#define READ_PERSONALITY 0xffffffff

/* In SCHED_FIFO and SCHED_RR a guest that spins would keep its processor from the monitor, which inherits the same
 * priority, so neither --timeout nor a signal could end the run. In SCHED_DEADLINE threads cannot be made.
 * SCHED_BATCH and SCHED_IDLE share processors, so they are kept. */
int inherited_leave_class(struct error *error)
{
	const struct sched_param parameter = {0};
	const int class = sched_getscheduler(0), reset = class < 0 ? 0 : class & SCHED_RESET_ON_FORK;
	if (class < 0 ||
	    (class != (SCHED_FIFO | reset) && class != (SCHED_RR | reset) && class != (SCHED_DEADLINE | reset)))
		return 0;
	/* Only a privileged process may clear the flag. */
	if (!sched_setscheduler(0, SCHED_OTHER | reset, &parameter))
		return 0;
	return error_set(error, errno,
	                 "cannot leave the host's real-time class, in which a program that spins could not be stopped: "
	                 "%s; start eremite without chrt",
	                 strerror(errno));
}

/* Since Linux 6.14 that page can be unmapped only by execve(2). In it the guest's null pointers would not fault. */
int inherited_leave_page_zero(char **argv, struct error *error)
{
	char path[PATH_MAX];
	const int now = personality(READ_PERSONALITY);
	if (now < 0 || !(now & MMAP_PAGE_ZERO))
		return 0;
	int result = own_path(path);
	if (!result && personality((unsigned long)now & ~(unsigned long)MMAP_PAGE_ZERO) < 0)
		result = -errno;
	if (!result) {
		execv(path, argv);
		result = -errno;
	}
	return error_set(error, -result,
	                 "cannot leave the personality MMAP_PAGE_ZERO, in which address 0 is mapped: %s; start eremite "
	                 "without 'setarch -Z'",
	                 strerror(-result));
}
