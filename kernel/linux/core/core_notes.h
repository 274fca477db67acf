/* SPDX-License-Identifier: MIT */
/* The notes of a core file: what Linux writes about a process and its threads (fs/binfmt_elf.c). */
#ifndef KERNEL_LINUX_CORE_CORE_NOTES_H
#define KERNEL_LINUX_CORE_CORE_NOTES_H

#include "abi/core.h"
#include "kernel/linux/process/linux_process.h"

/** What a core file shows. The process is the current one, and its address space, too. */
struct core_subject {
	const struct linux_process *process;
	const struct thread *first; /**< the thread that comes first, which debuggers show */
	struct core_request request;
	struct linux_siginfo info; /**< of the signal that ended the run; zero: none did */
	uint64_t name_bytes;       /**< core_notes_name_bytes() */
};

/** The bytes of the names of mapped files. Starts the stream anew. */
uint64_t core_notes_name_bytes(void);

/** Adds all notes to the stream. */
void core_notes_add(const struct core_subject *subject);

#endif
