/* SPDX-License-Identifier: MIT */
/* What of the guest's memory this process has mapped. */
#ifndef ENGINE_PROCESS_STUB_MAPPED_H
#define ENGINE_PROCESS_STUB_MAPPED_H

#include <stdint.h>

/** What became of a fault. */
enum mapped_result {
	MAPPED,         /**< the access can be tried again */
	MAPPED_NOT,     /**< the guest's tables do not allow it: an exception */
	MAPPED_NOTHING, /**< they name guest-physical memory that is not there */
	MAPPED_REFUSED, /**< the host cannot map it */
};

/** Maps what an access needs; `error` is the page fault's error code (SDM volume 3A, 4.7). */
enum mapped_result mapped_fault(uint64_t address, uint64_t error);

/** INVLPG: unmaps a page that the tables show otherwise by now. */
void mapped_forget_page(uint64_t address);

/** A load of CR3: the same for all that is mapped. */
void mapped_forget_changed(void);

#endif
