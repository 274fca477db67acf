/* SPDX-License-Identifier: MIT */
/* Names of the operations behind decision points, for messages. */
#ifndef KERNEL_SCHED_OP_NAME_H
#define KERNEL_SCHED_OP_NAME_H

/** If set, returns the name of a call that only Linux programs have, or NULL for other numbers. */
extern const char *(*op_name_more)(unsigned op);

/** The name of an enum sched_op or system call number; "?" for an unknown number. */
const char *sched_op_name(unsigned op);

#endif
