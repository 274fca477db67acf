/* SPDX-License-Identifier: MIT */
/* What system calls order between threads (x86-64). */
#ifndef HYPERVISOR_RACE_CALLS_H
#define HYPERVISOR_RACE_CALLS_H

#include <stdint.h>

/** What a thread does with a place that orders threads. Bits. */
#define RACE_SENDS 1U    /**< what it did before comes before what others do when they have received */
#define RACE_RECEIVES 2U /**< what others sent comes before what it does afterwards */
#define RACE_FUTEX 4U    /**< both, at the address that is the first argument */
#define RACE_MEMORY 8U   /**< the place is the memory of the process, not what files and signals carry */
#define RACE_SIGNALS 16U /**< what it did before comes before all that other threads do from now on */

/** What a system call does: the bits above; 0: nothing. A call that is not known sends and receives. */
unsigned race_calls_order(uint32_t number);

#endif
