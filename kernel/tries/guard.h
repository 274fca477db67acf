/* SPDX-License-Identifier: MIT */
/* Saves memory when it is written to for the first time after the point where tries start, and restores it.
 *
 * Every page that can be written to becomes read-only in the guest's own page tables (PTE_GUARDED). The first write to
 * a frame faults; its contents are copied, and the frame is *hot* from then on: it can be written to at each of its
 * addresses, and each restore copies it back. A frame stays hot, so that after some tries there are no faults any more.
 * Tables are not guarded: those that exist at the point are copied, and compared with their copies. */
#ifndef KERNEL_TRIES_GUARD_H
#define KERNEL_TRIES_GUARD_H

/** Guards all memory but the boot area, the tables, and what the processor itself writes to. Ends the run if there is
 * not enough memory for that. */
void guard_begin(void);

/** Restores all memory that guard_begin has guarded, and the tables. Must run on a stack outside of them. */
void guard_restore(void);

#endif
