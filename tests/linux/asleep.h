/* SPDX-License-Identifier: MIT */
/* Waits for the state of another thread, in the place of a sleep that is long enough on a quiet host. */
#ifndef TESTS_LINUX_ASLEEP_H
#define TESTS_LINUX_ASLEEP_H

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Waits until the thread `tid` of any process sleeps in a system call, or has ended: state S in proc_pid_stat(5). */
static inline void asleep_await(pid_t tid)
{
	char path[64], line[512], *name_end;
	snprintf(path, sizeof(path), "/proc/%d/stat", (int)tid);
	for (bool asleep = false; !asleep;) {
		FILE *file = fopen(path, "r");
		if (!file)
			return;
		asleep = fgets(line, sizeof(line), file) && (name_end = strrchr(line, ')')) && name_end[2] == 'S';
		fclose(file);
		if (!asleep)
			usleep(1000);
	}
}

#endif
