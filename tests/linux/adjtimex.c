/* SPDX-License-Identifier: MIT */
/* adjtimex(2) and clock_adjtime(2): reading, and which clocks and modes are refused. Hosts with a disciplined clock
 * have other values; the ones that all share are looked at. */
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/timex.h>
#include <time.h>
#include <unistd.h>

#include "tests/guest/say.h"

/* By the calls themselves: glibc's adjtimex is clock_adjtime. */
static long adjust(struct timex *state)
{
	return syscall(SYS_adjtimex, state);
}

static long adjust_clock(int clock, struct timex *state)
{
	return syscall(SYS_clock_adjtime, clock, state);
}

int main(void)
{
	struct timex state;
	memset(&state, 0xee, sizeof(state));
	state.modes = 0;
	long result = adjust(&state);
	SAY_TRUE(result >= 0 && result <= TIME_ERROR);
	SAY_TRUE((result == TIME_ERROR) == ((state.status & STA_UNSYNC) != 0));
	SAY_TRUE(labs(state.time.tv_sec - time(NULL)) <= 1);
	SAY_TRUE(state.time.tv_usec >= 0 && state.tick >= 9000 && state.tick <= 11000);
	SAY(state.tolerance);
	SAY(state.precision);
	SAY(state.modes);
	SAY_TRUE(adjust_clock(CLOCK_REALTIME, &state) == result);
	SAY_TRUE(ntp_adjtime(&state) == result);
	state.modes = ADJ_OFFSET_SS_READ;
	SAY_TRUE(adjust(&state) == result);
	state.modes = 0x8000;
	SAY(adjust(&state));
	state.modes = 0;
	SAY(adjust_clock(CLOCK_MONOTONIC, &state));
	SAY(adjust_clock(CLOCK_PROCESS_CPUTIME_ID, &state));
	SAY(adjust_clock(CLOCK_TAI, &state));
	SAY(adjust_clock(10, &state));
	SAY(adjust_clock(12, &state));
	SAY(adjust(NULL));
	SAY(adjust_clock(CLOCK_MONOTONIC, NULL));
	struct timeval left;
	SAY(adjtime(NULL, &left));
	return 0;
}
