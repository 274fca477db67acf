/* SPDX-License-Identifier: MIT */
/* Loads ELF programs (System V gABI, chapters 4 and 5; Linux's binfmt_elf) into an empty address space. */
#ifndef KERNEL_LINUX_PROCESS_ELF_H
#define KERNEL_LINUX_PROCESS_ELF_H

#include <stdbool.h>
#include <stdint.h>

#include "abi/linux.h"
#include "kernel/vfs/file.h"

/** The properties of a program that the initial stack reports. */
struct elf_program {
	uint64_t entry;   /**< its own entry point */
	uint64_t headers; /**< AT_PHDR */
	uint64_t header_count;
	uint64_t interpreter; /**< load address of the interpreter; 0: none */
	uint64_t start;       /**< first address to execute: the interpreter's entry, or its own */
	uint64_t heap;        /**< first page after its memory */
	bool executable_stack;
};

/** Checks a program and stores the path of its interpreter in path[]; empty: none. Maps nothing. Returns 0, or -ENOEXEC
 * or another error of execve(2). */
int elf_check(struct file *file, char path[LINUX_PATH_MAX]);

/** Maps a program that elf_check accepted, and its interpreter (NULL: none). Returns 0 or a negative errno. */
int elf_load(struct file *file, struct file *interpreter, struct elf_program *program);

#endif
