/* SPDX-License-Identifier: MIT */
/* Maps the guest's memory into this process. */
#ifndef ENGINE_PROCESS_STUB_MAPPED_H
#define ENGINE_PROCESS_STUB_MAPPED_H

#include <stdint.h>

/** Results of a fault. */
enum mapped_result {
	MAPPED,         /**< the access can be tried again */
	MAPPED_NOT,     /**< the guest's tables do not allow the access: deliver an exception */
	MAPPED_NOTHING, /**< the guest's tables name guest-physical memory that does not exist */
	MAPPED_REFUSED, /**< the host cannot map the memory */
};

/** Maps the memory that an access needs; `error` is the page fault's error code (SDM volume 3A, 4.7). */
enum mapped_result mapped_fault(uint64_t address, uint64_t error);

/** INVLPG: unmaps a page whose entry in the tables has changed. */
void mapped_forget_page(uint64_t address);

/** Maps the page of an address if it is not mapped, and if the tables show it. */
void mapped_show_page(uint64_t address);

/** Load of CR3: unmaps all pages whose entries in the tables have changed. */
void mapped_forget_changed(void);

#endif
