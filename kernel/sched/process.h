/* SPDX-License-Identifier: MIT */
/* The process: there is one, and its first thread has its number. */
#ifndef KERNEL_SCHED_PROCESS_H
#define KERNEL_SCHED_PROCESS_H

#define PROCESS_ID 1

#endif
