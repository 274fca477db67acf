/* SPDX-License-Identifier: MIT */
/* Clocks that cannot be set, and times that no clock can be set to. Nothing here sets one, even as root. */
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "tests/guest/say.h"

int main(void)
{
	struct timespec good = {1000000000, 0}, bad = {0, 1000000000}, before = {-1, 0};
	for (clockid_t clock = 1; clock < 14; clock++) {
		printf("clock %d: ", clock);
		SAY(clock_settime(clock, &good));
	}
	SAY(syscall(SYS_clock_settime, CLOCK_MONOTONIC, 8));
	SAY(syscall(SYS_clock_settime, CLOCK_REALTIME, 8));
	SAY(clock_settime(CLOCK_REALTIME, &bad));
	SAY(clock_settime(CLOCK_REALTIME, &before));
	SAY(clock_settime(-1, &good));
	SAY(clock_settime(-6, &good)); /* this process's, and this thread's */
	SAY(clock_settime(-2, &good));
	SAY(clock_settime((clockid_t)(~12345678U << 3 | 2), &good));
	SAY(syscall(SYS_clock_settime, -6, 8));
	return 0;
}
