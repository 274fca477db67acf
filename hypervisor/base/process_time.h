/* SPDX-License-Identifier: MIT */
/* Processor time that other processes have used. */
#ifndef HYPERVISOR_PROCESS_TIME_H
#define HYPERVISOR_PROCESS_TIME_H

#include <sys/types.h>

/** Seconds of processor time, in user and kernel mode, that a process and its living descendants have used
 * (proc_pid_stat(5)), in steps of the clock tick. Returns a negative number if /proc does not say. */
double process_time_with_descendants(pid_t process);

#endif
