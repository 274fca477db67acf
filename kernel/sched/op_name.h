/* SPDX-License-Identifier: MIT */
/* Names of the operations behind decision points, for messages. */
#ifndef KERNEL_SCHED_OP_NAME_H
#define KERNEL_SCHED_OP_NAME_H

/** The name of an enum sched_op or system call number; "?" for an unknown number. */
const char *sched_op_name(unsigned op);

#endif
