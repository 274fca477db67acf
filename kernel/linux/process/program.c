/* SPDX-License-Identifier: MIT */
/* The program that a process has executed. Processes made by fork(2) share it with their parents. */
#include "kernel/linux/process/program.h"

#include "kernel/lib/string.h"
#include "kernel/mm/kmalloc.h"

static void add_all(struct text *text, struct strings strings)
{
	for (unsigned i = 0; i < strings.count; i++)
		text_add(text, strings.at[i], strlen(strings.at[i]) + 1);
}

struct program *program_create(struct inode *file, struct strings arguments, struct strings environment)
{
	struct program *program = kzalloc(sizeof(*program));
	if (!program)
		return NULL;
	program->refs = 1;
	program->file = inode_get(file);
	add_all(&program->arguments, arguments);
	add_all(&program->environment, environment);
	if (!program->arguments.error && !program->environment.error)
		return program;
	program_put(program);
	return NULL;
}

struct program *program_get(struct program *program)
{
	if (program)
		program->refs++;
	return program;
}

void program_put(struct program *program)
{
	if (!program || --program->refs)
		return;
	inode_put(program->file);
	kfree(program->arguments.at);
	kfree(program->environment.at);
	kfree(program->auxiliary.at);
	kfree(program);
}
