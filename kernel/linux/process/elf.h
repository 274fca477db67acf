/* SPDX-License-Identifier: MIT */
/* Programs in ELF (System V gABI, chapters 4 and 5; Linux's binfmt_elf), placed in an empty address space. */
#ifndef KERNEL_LINUX_PROCESS_ELF_H
#define KERNEL_LINUX_PROCESS_ELF_H

#include <stdbool.h>
#include <stdint.h>

#include "abi/linux.h"
#include "kernel/vfs/file.h"

/** What the initial stack tells of a program. */
struct elf_program {
	uint64_t entry;   /**< its own */
	uint64_t headers; /**< AT_PHDR */
	uint64_t header_count;
	uint64_t interpreter; /**< where that was loaded; 0: there is none */
	uint64_t start;       /**< where to begin: the interpreter's entry, or its own */
	uint64_t heap;        /**< first page behind its memory */
	bool executable_stack;
};

/** The program's interpreter, in path[]; empty: none. Nothing is mapped yet. 0, or -ENOEXEC and others of execve(2). */
int elf_check(struct file *file, char path[LINUX_PATH_MAX]);

/** Maps a program that elf_check let pass, and its interpreter (NULL: none). 0 or a negative errno. */
int elf_load(struct file *file, struct file *interpreter, struct elf_program *program);

#endif
