/* SPDX-License-Identifier: MIT */
/* Marks in a recording: how far the run has come. They bound the replay of a run that was killed or stopped. */
#ifndef HYPERVISOR_RUN_MARKS_H
#define HYPERVISOR_RUN_MARKS_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

struct run;

/** Zero-initialised: no marks are made. */
struct run_marks {
	pthread_t thread;
	pthread_mutex_t lock; /**< of `ends` */
	pthread_cond_t ending;
	bool has_thread, ends;
	uint64_t last; /**< events at the last mark */
};

/** Whether the guest counts its events although there is no log of them: to mark them, or to stop at a mark. */
bool run_marks_are_counted(const struct run *run);

/** Starts the thread that marks a recording, before the guest starts. */
void run_marks_start(struct run *run);

/** Ends it once the guest runs no more. Marks where a run was stopped that has not ended by itself. */
void run_marks_end(struct run *run);

#endif
