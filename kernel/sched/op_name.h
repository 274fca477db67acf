/* SPDX-License-Identifier: MIT */
/* Names of what decision points stand before, for messages. */
#ifndef KERNEL_SCHED_OP_NAME_H
#define KERNEL_SCHED_OP_NAME_H

/** Names of the calls that only Linux programs have, NULL for others; NULL: there are none of them. */
extern const char *(*op_name_more)(unsigned op);

/** The name of an enum sched_op or system call number; "?" when there is none. */
const char *sched_op_name(unsigned op);

#endif
