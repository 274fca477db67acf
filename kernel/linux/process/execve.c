/* SPDX-License-Identifier: MIT */
/* From a path to a running program: the file, its interpreter or a script's, a new address space, the stack. */
#include "kernel/linux/process/execve.h"

#include "abi/errno.h"
#include "abi/linux.h"
#include "abi/tables.h"
#include "kernel/arch/uaccess.h"
#include "kernel/end.h"
#include "kernel/lib/format.h"
#include "kernel/lib/string.h"
#include "kernel/linux/cpu/cpu.h"
#include "kernel/linux/entry/entry.h"
#include "kernel/linux/memory/memfd.h"
#include "kernel/linux/memory/memory_layout.h"
#include "kernel/linux/patch/main_point.h"
#include "kernel/linux/process/elf.h"
#include "kernel/linux/process/error_text.h"
#include "kernel/linux/process/linux_process.h"
#include "kernel/linux/process/process_files.h"
#include "kernel/linux/strace/strace.h"
#include "kernel/linux/time/usage.h"
#include "kernel/linux/vdso/vdso.h"
#include "kernel/mm/array.h"
#include "kernel/mm/brk.h"
#include "kernel/mm/kmalloc.h"
#include "kernel/rand/entropy.h"
#include "kernel/sched/thread.h"
#include "kernel/sched/thread_segments.h"
#include "kernel/signal/signal.h"
#include "kernel/sys/sys.h"
#include "kernel/sys/thread_exit.h"
#include "kernel/time/posix_timer.h"
#include "kernel/vfs/data.h"
#include "kernel/vfs/dentry.h"
#include "kernel/vfs/fdtable.h"
#include "kernel/vfs/notify.h"
#include "kernel/vfs/path.h"
#include "kernel/vfs/vfs.h"

#define SCRIPT_LINE_MAX 256 /* BINPRM_BUF_SIZE */
#define SCRIPT_DEPTH 5
#define STRING_BYTES_MAX (32 * PAGE_SIZE) /* MAX_ARG_STRLEN */
#define NAME_BYTES (LINUX_PATH_MAX + 32)  /* a path after "/dev/fd/N/" */

/* The program executed in place of a script: its interpreter, with one argument and the script's path before the
 * arguments. */
struct script {
	char line[SCRIPT_LINE_MAX + 1];
	char *interpreter;
	char *argument; /* NULL: none */
};

/* The arguments of an execve, which stay the same when it executes an interpreter instead. */
struct request {
	const char *name;   /* the path that the caller named: AT_EXECFN */
	bool is_descriptor; /* the caller named it only by a descriptor */
	struct strings environment;
	struct trap_frame *frame;
};

/* Opens a program by directory and path, or, with AT_EMPTY_PATH and an empty path, by descriptor. */
static int open_program_at(int dirfd, const char *path, int flags, struct file **file)
{
	struct inode *inode;
	unsigned walk =
		(flags & LINUX_AT_EMPTY_PATH ? PATH_EMPTY : 0) | (flags & LINUX_AT_SYMLINK_NOFOLLOW ? 0 : PATH_FOLLOW);
	int error = path_find(dirfd, path, walk, &inode);
	if (error)
		return error;
	if (LINUX_S_ISLNK(inode->mode))
		return -ELOOP;
	if (!LINUX_S_ISREG(inode->mode))
		return -EACCES;
	error = inode_permission(inode, LINUX_X_OK);
	if (!error)
		error = file_create(inode, LINUX_O_RDONLY, file);
	if (error)
		return error;
	notify_file(*file, NOTIFY_OPEN);
	notify_file(*file, NOTIFY_ACCESS);
	return 0;
}

static int open_program(const char *path, struct file **file)
{
	return open_program_at(LINUX_AT_FDCWD, path, 0, file);
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* The first character of [at, last] that is not a blank, or NULL. */
static char *skip_blanks(char *at, char *last)
{
	while (at <= last && is_blank(*at))
		at++;
	return at <= last ? at : NULL;
}

/* The end of a word, at a blank or NUL, in [at, last], or NULL. */
static char *word_end(char *at, char *last)
{
	while (at <= last && *at && !is_blank(*at))
		at++;
	return at <= last ? at : NULL;
}

/* Whether a file is a script, and its interpreter: 1, 0 or a negative errno (execve(2), "Interpreter scripts"). If the
 * line has no end, the zeros after it end it; the last byte read is then not part of it. */
static int read_script(struct file *file, struct script *script)
{
	static char here[] = ".";
	memset(script, 0, sizeof(*script));
	long got = data_read(file->inode, script->line, SCRIPT_LINE_MAX, 0);
	if (got < 2 || memcmp(script->line, "#!", 2))
		return got < 0 ? (int)got : 0;
	char *first = script->line + 2, *last = script->line + SCRIPT_LINE_MAX - 1;
	char *end = strchr(script->line, '\n');
	if (!end) {
		end = skip_blanks(first, last);
		if (!end || !word_end(end, last))
			return -ENOEXEC;
		end = last;
	}
	while (is_blank(end[-1]))
		end--;
	char *name = skip_blanks(first, end);
	if (!name || name == end)
		return -ENOEXEC;
	char *behind = word_end(name, end);
	script->argument = behind && *behind ? skip_blanks(behind, end) : NULL;
	*end = 0;
	if (behind)
		*behind = 0;
	script->interpreter = *name ? name : here; /* as in Linux, an empty path means the current directory */
	return 1;
}

/* The point of no return: ends the other threads, and frees memory, handlers and timers. */
static void forget_program(struct linux_space *fresh)
{
	struct linux_process *self = process_self();
	struct linux_space *old = self->space;
	process_stop_others();
	thread_exit_locks();
	thread_rename(thread_current, process_current->id);
	usage_space_ends(self);
	linux_space_use(fresh);
	self->space = fresh;
	self->executed = true;
	self->exit_signal = LINUX_SIGCHLD;
	self->membarriers = 0;
	credentials_execute(&self->credentials);
	self->dumpable = self->credentials.user.effective == self->credentials.user.real &&
	                 self->credentials.group.effective == self->credentials.group.real;
	process_give_back(self);
	linux_space_put(old);
	process_clear_handlers(process_current);
	thread_current->signals.stack = (struct linux_stack){.ss_flags = thread_current->signals.stack.ss_flags};
	thread_current->clear_tid = NULL;
	thread_current->rseq = 0;
	thread_current->robust_list = 0;
	posix_timer_forget();
	fdtable_exec(&process_current->files->fds);
	inode_time_step();
}

/* Sets the name for PR_GET_NAME: the last component of the caller's path, even of a script; without a path that of the
 * file, even of a script's interpreter, as on Linux since 6.14. */
static void name_process(const struct request *request, const struct inode *inode)
{
	const char *last = request->name;
	char name[THREAD_NAME_BYTES] = "";
	for (const char *at = request->name; *at; at++)
		if (*at == '/')
			last = at + 1;
	if (request->is_descriptor && memfd_name(inode))
		format(name, sizeof(name), "memfd:%s", memfd_name(inode));
	else if (request->is_descriptor && inode->dentry)
		last = inode->dentry->name;
	if (!name[0])
		memcpy(name, last, strnlen(last, sizeof(name) - 1));
	process_name_thread(thread_current, name);
}

static void reset_registers(void)
{
	cpu_clear_vector();
	thread_segments_clear();
}

static int load(struct file *file, struct file *interpreter, const struct request *request, struct strings arguments)
{
	struct trap_frame *frame = request->frame;
	struct elf_program program;
	uint64_t stack = 0;
	int error = elf_load(file, interpreter, &program);
	if (!error)
		error = vdso_map();
	if (!error) {
		const struct memory_layout *layout = &linux_space_self()->layout;
		const uint64_t heap = program.heap + layout->heap_gap;
		brk_init(heap, heap < layout->mmap_top ? layout->mmap_top : layout->stack_top, 0);
		error = initial_stack_build(&program, request->name, arguments, request->environment,
		                            &process_self()->program->auxiliary, &stack);
	}
	if (error)
		return error;
	main_point_set(program.entry);
	reset_registers();
	memset(frame, 0, sizeof(*frame));
	frame->rip = program.start;
	frame->rsp = stack;
	frame->cs = SELECTOR_RING3_CODE;
	frame->ss = SELECTOR_RING3_DATA;
	frame->rflags = TABLES_RFLAGS;
	return 0;
}

/* Whether some process executes a file, which then cannot be opened for writing. */
static bool is_executed(const struct inode *inode)
{
	for (struct process *process = &process_first; process; process = process->next)
		if (process->more->program && process->more->program->file == inode)
			return true;
	return false;
}

int execve_contents_writable(const struct inode *inode)
{
	int error = inode_writable(inode);
	return !error && is_executed(inode) ? -ETXTBSY : error;
}

/* Executes a program that is not a script. */
static int exec_binary(struct file *file, const struct request *request, struct strings arguments)
{
	static char interpreter_path[LINUX_PATH_MAX];
	struct file *interpreter = NULL;
	int error = elf_check(file, interpreter_path);
	if (!error && interpreter_path[0])
		error = open_program(interpreter_path, &interpreter);
	if (error)
		return error;
	error = initial_stack_check(request->name, arguments, request->environment);
	if (error) {
		if (interpreter)
			file_put(interpreter);
		return error;
	}
	struct program *program = program_create(file->inode, arguments, request->environment);
	struct linux_space *fresh = program ? linux_space_create() : NULL;
	if (!fresh || process_files_unshare()) {
		if (fresh)
			linux_space_put(fresh);
		if (interpreter)
			file_put(interpreter);
		program_put(program);
		return -ENOMEM;
	}
	strace_note(STRACE_AGAIN, 0, NULL);
	forget_program(fresh);
	if (process_self()->program) /* the run's program keeps the seed's stream */
		entropy_execute(&process_current->entropy);
	memory_layout_draw(&fresh->layout);
	program_put(process_self()->program);
	process_self()->program = program;
	name_process(request, file->inode);
	error = load(file, interpreter, request, arguments);
	if (error) {
		char what[160];
		format(what, sizeof(what), "%s cannot be loaded: %s", request->name, error_text(error));
		if (!process_self()->parent)
			end_with_report(END_SIGNAL, LINUX_SIGKILL, what);
		process_exit(LINUX_SIGKILL);
	}
	if (interpreter)
		file_put(interpreter);
	return 0;
}

static int exec_at(const char *path, const struct request *request, struct strings arguments, unsigned depth);

static int exec_script(const struct script *script, const char *path, const struct request *request,
                       struct strings arguments, unsigned depth)
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
	int error = exec_at(script->interpreter, request, all, depth + 1);
	kfree(at);
	return error;
}

/* Executes an opened program, which it closes; `path` is its name. */
static int exec_file(struct file *file, const char *path, const struct request *request, struct strings arguments,
                     unsigned depth)
{
	struct script *script = kmalloc(sizeof(*script));
	int error = !script ? -ENOMEM : file->inode->writers ? -ETXTBSY : read_script(file, script);
	if (error > 0)
		error = exec_script(script, path, request, arguments, depth);
	else if (!error)
		error = exec_binary(file, request, arguments);
	kfree(script);
	file_put(file);
	return error;
}

static int exec_at(const char *path, const struct request *request, struct strings arguments, unsigned depth)
{
	struct file *file;
	int error = open_program(path, &file);
	return error ? error : exec_file(file, path, request, arguments, depth);
}

int execve_program(const char *path, struct strings arguments, struct strings environment, struct trap_frame *frame)
{
	const struct request request = {.name = path, .environment = environment, .frame = frame};
	return exec_at(path, &request, arguments, 0);
}

/* --- the call --- */

/* Copies of the program's strings, one after the other in one block of memory. */
struct copied {
	char **at;
	size_t count, room;
	char *text;
	size_t used, size;
};

static void copied_free(struct copied *copied)
{
	kfree(copied->at);
	kfree(copied->text);
}

/* Adds a string. Its pointer is an offset until all strings are there. */
static int copy_string(struct copied *copied, const char *from)
{
	for (;;) {
		size_t room = copied->size - copied->used, most = room < STRING_BYTES_MAX ? room : STRING_BYTES_MAX;
		long length = most ? strncpy_from_user(copied->text + copied->used, from, most) : -ENAMETOOLONG;
		if (length >= 0) {
			copied->at[copied->count++] = (char *)copied->used;
			copied->used += (size_t)length + 1;
			return 0;
		}
		if (length != -ENAMETOOLONG || most == STRING_BYTES_MAX)
			return length != -ENAMETOOLONG ? (int)length : -E2BIG;
		size_t size = copied->size ? 2 * copied->size : PAGE_SIZE;
		char *text = krealloc(copied->text, size);
		if (!text)
			return -ENOMEM;
		copied->text = text;
		copied->size = size;
	}
}

/* Bytes that strings and the pointers to them take on the stack. */
static size_t stack_bytes_of(const struct copied *copied)
{
	return copied->used + copied->count * sizeof(char *);
}

/* Copies an array of strings (NULL: an empty one); `others` strings are there already. Returns 0 or a negative errno;
 * call copied_free in any case. */
static int copy_strings(struct copied *copied, char *const *from, size_t others)
{
	memset(copied, 0, sizeof(*copied));
	for (;; from++) {
		const char *string = NULL;
		if (from && copy_from_user(&string, from, sizeof(string)))
			return -EFAULT;
		if (!array_reserve(copied->at, copied->room, copied->count + 1))
			return -ENOMEM;
		if (!string)
			break;
		int error = copy_string(copied, string);
		if (!error && stack_bytes_of(copied) + others > initial_stack_most())
			error = -E2BIG;
		if (error)
			return error;
	}
	return 0;
}

/* Turns offsets into pointers, when all strings are there. */
static struct strings settle_pointers(struct copied *copied)
{
	for (size_t i = 0; i < copied->count; i++)
		copied->at[i] = copied->text + (size_t)copied->at[i];
	return (struct strings){copied->at, (unsigned)copied->count};
}

/* Names a program that was given relative to a directory's descriptor, as Linux does: /dev/fd/N/PATH. */
static void name_by_descriptor(int dirfd, const char *path, char *name)
{
	if (dirfd == LINUX_AT_FDCWD || *path == '/')
		memcpy(name, path, strlen(path) + 1);
	else
		format(name, NAME_BYTES, *path ? "/dev/fd/%d/%s" : "/dev/fd/%d", dirfd, path);
}

/* Executes a program that the caller named; all strings are in kernel memory. */
static long exec_named(int dirfd, const char *path, int flags, struct strings arguments, struct strings environment)
{
	struct file *file;
	char *name = kmalloc(NAME_BYTES);
	if (!name)
		return -ENOMEM;
	name_by_descriptor(dirfd, path, name);
	const struct request request = {.name = name,
	                                .is_descriptor = !*path,
	                                .environment = environment,
	                                .frame = linux_frame(thread_current)};
	long error = open_program_at(dirfd, path, flags, &file);
	if (!error)
		error = exec_file(file, name, &request, arguments, 0);
	kfree(name);
	return error;
}

long sys_execveat(int dirfd, const char *path, char *const *argv, char *const *envp, int flags)
{
	struct copied arguments, environment = {0};
	if (flags & ~(LINUX_AT_EMPTY_PATH | LINUX_AT_SYMLINK_NOFOLLOW))
		return -EINVAL;
	char *copy = kmalloc(LINUX_PATH_MAX);
	long error = copy ? strncpy_from_user(copy, path, LINUX_PATH_MAX) : -ENOMEM;
	memset(&arguments, 0, sizeof(arguments));
	if (error >= 0)
		error = copy_strings(&arguments, argv, 0);
	if (!error)
		error = copy_strings(&environment, envp, stack_bytes_of(&arguments));
	if (!error && !arguments.count) /* as Linux does since 5.18: an empty array becomes one empty string */
		error = copy_string(&arguments, "");
	if (!error)
		error = exec_named(dirfd, copy, flags, settle_pointers(&arguments), settle_pointers(&environment));
	copied_free(&arguments);
	copied_free(&environment);
	kfree(copy);
	return error;
}

long sys_execve(const char *path, char *const *argv, char *const *envp)
{
	return sys_execveat(LINUX_AT_FDCWD, path, argv, envp, 0);
}
