/* SPDX-License-Identifier: MIT */
/* The state of the clock's discipline: adjtimex(2), clock_adjtime(2). It can be read, and is that of a clock which
 * nothing disciplines. Changing it is EPERM, as for root in a container. */
#include "abi/errno.h"
#include "kernel/arch/uaccess.h"
#include "kernel/linux/time/clock.h"
#include "kernel/sys/sys.h"
#include "kernel/time/timespec.h"
#include "kernel/time/vclock.h"

#define ADJ_OFFSET_SINGLESHOT 0x0001
#define ADJ_OFFSET_READONLY 0x2000
#define ADJ_ADJTIME 0x8000
#define STA_UNSYNC 0x40
#define TIME_ERROR 5
#define ERROR_US 16000000 /* maxerror and esterror without a source (Linux, NTP_PHASE_LIMIT) */

#define CLOCKS 12 /* numbers of clocks are below; 10 has none */
#define CLOCK_NONE 10

/* struct timex. */
struct state {
	uint32_t modes;
	int64_t offset, frequency, maximum_error, estimated_error;
	int32_t status;
	int64_t constant, precision, tolerance;
	struct linux_timeval time;
	int64_t tick, pps_frequency, jitter;
	int32_t shift;
	int64_t stability, jitter_count, calibration_count, error_count, stability_count;
	int32_t tai, unused[11];
};

_Static_assert(sizeof(struct state) == 208, "struct timex");

static long adjust(void *user)
{
	struct state state;
	if (copy_from_user(&state, user, sizeof(state)))
		return -EFAULT;
	const uint32_t modes = state.modes;
	if (modes & ADJ_ADJTIME && !(modes & ADJ_OFFSET_SINGLESHOT))
		return -EINVAL;
	if (modes & ADJ_ADJTIME ? !(modes & ADJ_OFFSET_READONLY) : modes != 0)
		return -EPERM;
	const struct linux_timespec now = timespec_from_ns(vclock_realtime());
	state = (struct state){
		.modes = modes,
		.maximum_error = ERROR_US,
		.estimated_error = ERROR_US,
		.status = STA_UNSYNC,
		.constant = 2,
		.precision = 1,
		.tolerance = 500L << 16, /* parts per million */
		.time = {now.tv_sec, now.tv_nsec / 1000},
		.tick = 10000,
	};
	return copy_to_user(user, &state, sizeof(state)) ? -EFAULT : TIME_ERROR;
}

long sys_adjtimex(void *state)
{
	return adjust(state);
}

long sys_clock_adjtime(int clock, void *user)
{
	struct state state;
	if (copy_from_user(&state, user, sizeof(state)))
		return -EFAULT;
	if (clock == 0)
		return adjust(user);
	if (clock < 0 ? !clock_process(clock) && clock_thread(clock) < 0 : clock >= CLOCKS || clock == CLOCK_NONE)
		return -EINVAL;
	return -EOPNOTSUPP;
}
