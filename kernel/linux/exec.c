/* SPDX-License-Identifier: MIT */
/* From a path to a program that runs: the file, its interpreter or a script's, a fresh address space, the stack. */
#include "kernel/linux/exec.h"

#include "abi/errno.h"
#include "abi/linux.h"
#include "abi/tables.h"
#include "kernel/end.h"
#include "kernel/lib/format.h"
#include "kernel/lib/string.h"
#include "kernel/linux/elf.h"
#include "kernel/linux/memory.h"
#include "kernel/mm/brk.h"
#include "kernel/mm/kmalloc.h"
#include "kernel/mm/vm.h"
#include "kernel/signal/signal.h"
#include "kernel/vfs/data.h"
#include "kernel/vfs/fdtable.h"
#include "kernel/vfs/vfs.h"

#define SCRIPT_LINE_MAX 256 /* BINPRM_BUF_SIZE */
#define SCRIPT_DEPTH 5
#define ARGUMENTS_MAX 65536

/* What is executed instead of a script: its interpreter, with one argument and then the script's path in front. */
struct script {
	char line[SCRIPT_LINE_MAX + 1];
	char *interpreter;
	char *argument; /* NULL: none */
};

static int open_program(const char *path, struct file **file)
{
	int error = file_open(LINUX_AT_FDCWD, path, LINUX_O_RDONLY, 0, file);
	if (error)
		return error;
	if (LINUX_S_ISREG((*file)->inode->mode))
		error = inode_permission((*file)->inode, LINUX_X_OK);
	else
		error = -EACCES;
	if (error)
		file_put(*file);
	return error;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* Whether a file is a script, and then whose: 1, 0 or a negative errno (execve(2), "Interpreter scripts"). */
static int read_script(struct file *file, struct script *script)
{
	memset(script, 0, sizeof(*script));
	long got = data_read(file->inode, script->line, SCRIPT_LINE_MAX, 0);
	if (got < 2 || memcmp(script->line, "#!", 2))
		return got < 0 ? (int)got : 0;
	char *end = strchr(script->line, '\n');
	if (!end && got == SCRIPT_LINE_MAX && !strchr(script->line + 2, ' '))
		return -ENOEXEC;
	if (end)
		*end = 0;
	end = script->line + strlen(script->line);
	while (end > script->line + 2 && is_blank(end[-1]))
		*--end = 0;
	char *at = script->line + 2;
	while (is_blank(*at))
		at++;
	if (!*at)
		return -ENOEXEC;
	script->interpreter = at;
	while (*at && !is_blank(*at))
		at++;
	if (*at) {
		*at++ = 0;
		while (is_blank(*at))
			at++;
		script->argument = at;
	}
	return 1;
}

/* The address space is given up: there is no way back. */
static void forget_program(void)
{
	for (uint64_t at = 0, next; at < LINUX_STACK_TOP; at = next) {
		at = vm_next_mapping(at, LINUX_STACK_TOP);
		next = vm_mapping_end(at);
		if (next > at)
			vm_unmap(at, next - at);
		else
			break;
	}
	for (int sig = 1; sig <= LINUX_NSIG; sig++)
		if ((uint64_t)process_current->signals.actions[sig].handler > LINUX_SIG_IGN)
			process_current->signals.actions[sig] = (struct linux_sigaction){0};
	thread_current->signals.stack = (struct linux_stack){.ss_flags = LINUX_SS_DISABLE};
	thread_current->clear_tid = NULL;
	thread_current->robust_list = 0;
	fdtable_exec(&vfs_current->fds);
}

static void reset_registers(void)
{
	static const uint32_t mxcsr = 0x1f80;
	const uint64_t zero = 0;
	__asm__ volatile("fninit\n\tldmxcsr %0\n\twrfsbase %1\n\twrgsbase %1" : : "m"(mxcsr), "r"(zero));
}

static int load(struct file *file, struct file *interpreter, const char *path, struct strings arguments,
                struct strings environment, struct trap_frame *frame)
{
	struct elf_program program;
	uint64_t stack = 0;
	int error = elf_load(file, interpreter, &program);
	if (!error) {
		brk_init(program.heap, LINUX_MMAP_TOP, 0);
		error = stack_build(&program, path, arguments, environment, &stack);
	}
	if (error)
		return error;
	reset_registers();
	memset(frame, 0, sizeof(*frame));
	frame->rip = program.start;
	frame->rsp = stack;
	frame->cs = SELECTOR_RING3_CODE;
	frame->ss = SELECTOR_RING3_DATA;
	frame->rflags = TABLES_RFLAGS;
	return 0;
}

/* A program that is no script. */
static int exec_binary(struct file *file, const char *path, struct strings arguments, struct strings environment,
                       struct trap_frame *frame)
{
	static char interpreter_path[LINUX_PATH_MAX];
	struct file *interpreter = NULL;
	int error = elf_check(file, interpreter_path);
	if (!error && interpreter_path[0])
		error = open_program(interpreter_path, &interpreter);
	if (error)
		return error;
	forget_program();
	error = load(file, interpreter, path, arguments, environment, frame);
	if (error) {
		char what[120];
		format(what, sizeof(what), "%s cannot be loaded (error %d)", path, -error);
		end_with_report(END_SIGNAL, LINUX_SIGKILL, what);
	}
	if (interpreter)
		file_put(interpreter);
	return 0;
}

static int exec_at(const char *path, struct strings arguments, struct strings environment, struct trap_frame *frame,
                   unsigned depth);

static int exec_script(const struct script *script, const char *path, struct strings arguments,
                       struct strings environment, struct trap_frame *frame, unsigned depth)
{
	if (depth == SCRIPT_DEPTH)
		return -ELOOP;
	char **at = kmalloc((arguments.count + 3UL) * sizeof(*at));
	unsigned count = 0;
	if (!at)
		return -ENOMEM;
	at[count++] = script->interpreter;
	if (script->argument)
		at[count++] = script->argument;
	at[count++] = (char *)path;
	for (unsigned i = 1; i < arguments.count; i++)
		at[count++] = arguments.at[i];
	const struct strings all = {at, count};
	int error = exec_at(script->interpreter, all, environment, frame, depth + 1);
	kfree(at);
	return error;
}

static int exec_at(const char *path, struct strings arguments, struct strings environment, struct trap_frame *frame,
                   unsigned depth)
{
	struct file *file;
	int error = open_program(path, &file);
	if (error)
		return error;
	struct script *script = kmalloc(sizeof(*script));
	error = script ? read_script(file, script) : -ENOMEM;
	if (error > 0)
		error = exec_script(script, path, arguments, environment, frame, depth);
	else if (!error)
		error = exec_binary(file, path, arguments, environment, frame);
	kfree(script);
	file_put(file);
	return error;
}

int exec_program(const char *path, struct strings arguments, struct strings environment, struct trap_frame *frame)
{
	return exec_at(path, arguments, environment, frame, 0);
}
