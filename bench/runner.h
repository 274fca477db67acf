/* SPDX-License-Identifier: MIT */
/* Runs commands and takes their times. Nothing is pinned; what is compared is run in turns, so that a busy machine
 * is busy for both. */
#ifndef BENCH_RUNNER_H
#define BENCH_RUNNER_H

#include <stdbool.h>

#define RUNNER_WORDS_MAX 32
#define RUNNER_SAMPLES_MAX 256

/** A command and the times it took. */
struct series {
	const char *command; /**< words separated by blanks; "%n" stands for `count`; NULL: no command */
	unsigned long count;
	bool pipe;  /**< standard output is a pipe that is read, not /dev/null */
	int expect; /**< exit status of a good run */
	unsigned samples;
	double wall_s[RUNNER_SAMPLES_MAX];
	double cpu_s[RUNNER_SAMPLES_MAX]; /**< user and system time of the process */
	char refused[128];                /**< why it cannot be measured; empty when it can */
};

/** Runs each command once to warm up, then all of them in turns, `rounds` times or until `limit_s` have passed. */
void runner_measure(struct series **series, unsigned count, unsigned rounds, double limit_s);

/** Of an array of samples, which is sorted on the way; 0 when there are none. */
double runner_min(double *samples, unsigned count);
double runner_median(double *samples, unsigned count);

/**
 * Peak resident memory of a whole run, in bytes, without the pages of shared libraries: VmHWM less what is resident
 * of files named *.so* when the process ends. Negative when it cannot be told.
 */
long runner_peak_bytes(const char *command);

/** Runs a command, which writes its summary into a file: how many of its system calls were made by jumps, in percent;
 * negative when it cannot be told. */
double runner_jumps(const char *command, const char *summary);

#endif
