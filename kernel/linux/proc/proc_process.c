/* SPDX-License-Identifier: MIT */
/* Files of a process's directory in /proc, except stat and status (proc_status.c). */
#include "abi/errno.h"
#include "abi/linux.h"
#include "kernel/lib/format.h"
#include "kernel/lib/string.h"
#include "kernel/linux/memory/memory_layout.h"
#include "kernel/linux/proc/proc.h"
#include "kernel/linux/proc/proc_memory.h"
#include "kernel/linux/proc/proc_net.h"
#include "kernel/linux/proc/proc_mounts.h"
#include "kernel/linux/proc/proc_namespaces.h"
#include "kernel/linux/proc/proc_status.h"
#include "kernel/linux/process/credentials.h"
#include "kernel/mm/mappings.h"
#include "kernel/vfs/dentry.h"

#define MAP_NAME_COLUMN 73

/* Bits of coredump_filter: all of them, and the initial ones (core(5)). */
#define COREDUMP_ALL 0x1ffU
#define COREDUMP_FIRST 0x33U

#define LOGIN_NONE UINT32_MAX /* loginuid and sessionid of a process that nobody has logged in for */

static uint32_t login_sessions; /* how often somebody has logged in */

/* The process with its Linux part; NULL once it has ended. */
static const struct linux_process *living(const struct proc_object *object)
{
	const struct process *process = proc_process(object);
	return process && !process->more->ended ? process->more : NULL;
}

/* --- maps --- */

static void map_name(const struct linux_space *space, const struct mapping *map, struct text *text)
{
	const struct brk *brk = &space->base.brk;
	const struct inode *inode = map->backing.ops ? map->backing.object : NULL;
	if (inode)
		proc_name(inode, text);
	else if (map->start < brk->end && map->end > brk->start)
		text_print(text, "[heap]");
	else if (map->end == space->layout.stack_top)
		text_print(text, "[stack]");
	else if (map->start == space->layout.vdso)
		text_print(text, "[vdso]");
}

static void map_line(const struct linux_space *space, const struct mapping *map, struct text *text)
{
	const struct inode *inode = map->backing.ops ? map->backing.object : NULL;
	const uint64_t dev = inode ? inode->mount->dev : 0, offset = inode ? map->backing.page * PAGE_SIZE : 0;
	size_t start = text->bytes, end;
	text_print(text, "%08lx-%08lx %c%c%c%c %08lx %02lx:%02lx %lu ", map->start, map->end,
	           map->prot & VM_READ ? 'r' : '-', map->prot & VM_WRITE ? 'w' : '-', map->prot & VM_EXEC ? 'x' : '-',
	           map->backing.shared ? 's' : 'p', offset, dev >> 8 & 0xff, dev & 0xff, inode ? inode->ino : 0);
	end = text->bytes;
	while (!text->error && text->bytes < start + MAP_NAME_COLUMN)
		text_add(text, " ", 1);
	const size_t padded = text->bytes;
	map_name(space, map, text);
	if (text->bytes == padded && !text->error)
		text->bytes = end; /* no name */
	text_add(text, "\n", 1);
}

static int maps(const struct proc_object *object, struct text *text)
{
	const struct linux_process *process = living(object);
	if (!process)
		return 0;
	const struct mappings *all = &process->space->base.mappings;
	struct mapping seen;
	for (size_t i = 0; i < all->count; i++)
		if (linux_space_shows(process->space, &all->list[i], &seen))
			map_line(process->space, &seen, text);
	return 0;
}

/* A line of smaps and of smaps_rollup. */
struct count {
	const char *name;
	uint64_t kilobytes;
};

/* Prints the given lines, and then those for kinds of memory that the guest lacks. */
static void print_counts(const struct count *counts, size_t count, struct text *text)
{
	static const char *const none[] = {
		"LazyFree:       ", "AnonHugePages:  ", "ShmemPmdMapped: ", "FilePmdMapped:  ", "Shared_Hugetlb: ",
		"Private_Hugetlb:", "Swap:           ", "SwapPss:        ", "Locked:         "};
	for (size_t i = 0; i < count; i++)
		text_print(text, "%s%8lu kB\n", counts[i].name, counts[i].kilobytes);
	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++)
		text_print(text, "%s%8lu kB\n", none[i], 0UL);
}

/* The sum over all mappings. */
static void rollup_counts(uint64_t resident, uint64_t anonymous, uint64_t dirty, struct text *text)
{
	const struct count counts[] = {
		{"Rss:            ", resident},
		{"Pss:            ", resident},
		{"Pss_Dirty:      ", dirty},
		{"Pss_Anon:       ", anonymous},
		{"Pss_File:       ", resident - anonymous},
		{"Pss_Shmem:      ", 0},
		{"Shared_Clean:   ", 0},
		{"Shared_Dirty:   ", 0},
		{"Private_Clean:  ", resident - dirty},
		{"Private_Dirty:  ", dirty},
		{"Referenced:     ", resident},
		{"Anonymous:      ", anonymous},
	};
	print_counts(counts, sizeof(counts) / sizeof(counts[0]), text);
}

static int smaps_rollup(const struct proc_object *object, struct text *text)
{
	const struct linux_process *process = living(object);
	if (!process)
		return -ESRCH;
	const struct mappings *all = &process->space->base.mappings;
	uint64_t resident = 0, anonymous = 0, dirty = 0, start = UINT64_MAX, end = 0;
	struct mapping seen;
	for (size_t i = 0; i < all->count; i++) {
		if (!linux_space_shows(process->space, &all->list[i], &seen))
			continue;
		uint64_t size = seen.prot ? (seen.end - seen.start) / 1024 : 0;
		start = seen.start < start ? seen.start : start;
		end = seen.end;
		resident += size;
		anonymous += seen.backing.ops ? 0 : size;
		dirty += !seen.backing.ops || seen.prot & VM_WRITE ? size : 0;
	}
	size_t line = text->bytes;
	text_print(text, "%08lx-%08lx ---p 00000000 00:00 0 ", start, end);
	while (!text->error && text->bytes < line + MAP_NAME_COLUMN)
		text_add(text, " ", 1);
	text_print(text, "[rollup]\n");
	rollup_counts(resident, anonymous, dirty, text);
	return 0;
}

/* All accessible memory counts as resident, as in statm; it counts as the file's if it is not writable. */
static void map_counts(const struct mapping *map, struct text *text)
{
	const uint64_t size = (map->end - map->start) / 1024, resident = map->prot ? size : 0;
	const bool anonymous = !map->backing.ops, dirty = anonymous || map->prot & VM_WRITE;
	const struct count counts[] = {
		{"Size:           ", size},
		{"KernelPageSize: ", PAGE_SIZE / 1024},
		{"MMUPageSize:    ", PAGE_SIZE / 1024},
		{"Rss:            ", resident},
		{"Pss:            ", resident},
		{"Pss_Dirty:      ", dirty ? resident : 0},
		{"Shared_Clean:   ", 0},
		{"Shared_Dirty:   ", 0},
		{"Private_Clean:  ", dirty ? 0 : resident},
		{"Private_Dirty:  ", dirty ? resident : 0},
		{"Referenced:     ", resident},
		{"Anonymous:      ", anonymous ? resident : 0},
	};
	print_counts(counts, sizeof(counts) / sizeof(counts[0]), text);
	text_print(text, "THPeligible:    0\nVmFlags:%s%s%s%s mr mw me \n", map->prot & VM_READ ? " rd" : "",
	           map->prot & VM_WRITE ? " wr" : "", map->prot & VM_EXEC ? " ex" : "",
	           map->backing.shared ? " sh" : "");
}

static int smaps(const struct proc_object *object, struct text *text)
{
	const struct linux_process *process = living(object);
	if (!process)
		return 0;
	const struct mappings *all = &process->space->base.mappings;
	struct mapping seen;
	for (size_t i = 0; i < all->count; i++) {
		if (!linux_space_shows(process->space, &all->list[i], &seen))
			continue;
		map_line(process->space, &seen, text);
		map_counts(&seen, text);
	}
	return 0;
}

/* --- the executed program --- */

static int cmdline(const struct proc_object *object, struct text *text)
{
	const struct linux_process *process = living(object);
	if (process && process->program)
		text_add(text, process->program->arguments.at, process->program->arguments.bytes);
	return 0;
}

static int environ(const struct proc_object *object, struct text *text)
{
	const struct linux_process *process = living(object);
	if (process && process->program)
		text_add(text, process->program->environment.at, process->program->environment.bytes);
	return 0;
}

static int auxv(const struct proc_object *object, struct text *text)
{
	const struct linux_process *process = living(object);
	if (process && process->program)
		text_add(text, process->program->auxiliary.at, process->program->auxiliary.bytes);
	return 0;
}

static int comm(const struct proc_object *object, struct text *text)
{
	const struct process *process = proc_process(object);
	if (!process)
		return -ESRCH;
	text_print(text, "%s\n", proc_thread_name(object));
	return 0;
}

static int set_comm(const struct proc_object *object, const char *text)
{
	const struct linux_process *process = living(object);
	struct thread *thread = process ? thread_find(object->number ? object->number : object->process) : NULL;
	char name[THREAD_NAME_BYTES] = "";
	if (!thread || thread->process != process->base)
		return -ESRCH;
	if (process != process_self())
		return -EINVAL; /* proc(5): only by threads of the same process */
	memcpy(name, text, strnlen(text, sizeof(name) - 1));
	process_name_thread(thread, name);
	return 0;
}

static int personality(const struct proc_object *object, struct text *text)
{
	const struct linux_process *process = living(object);
	const struct thread *thread = process ? thread_find(object->number ? object->number : object->process) : NULL;
	text_print(text, "%08lx\n", thread ? (uint64_t)thread->personality : 0UL);
	return 0;
}

static int oom_score_adj(const struct proc_object *object, struct text *text)
{
	const struct linux_process *process = living(object);
	text_print(text, "%d\n", process ? process->oom_score_adj : 0);
	return 0;
}

static int set_oom_score_adj(const struct proc_object *object, const char *text)
{
	struct process *process = proc_process(object);
	bool negative = *text == '-';
	int value = 0;
	text += negative;
	if (*text < '0' || *text > '9')
		return -EINVAL;
	for (; *text >= '0' && *text <= '9' && value <= OOM_SCORE_MAX; text++)
		value = 10 * value + (*text - '0');
	if (value > OOM_SCORE_MAX || (*text && *text != '\n'))
		return -EINVAL;
	if (!process || process->more->ended)
		return -ESRCH;
	process->more->oom_score_adj = negative ? -value : value;
	return 0;
}

/* The kinds of memory that a core dump would contain. Core dumps are never made. */
static int coredump_filter(const struct proc_object *object, struct text *text)
{
	const struct linux_process *process = living(object);
	if (process)
		text_print(text, "%08lx\n", (uint64_t)(process->coredump_filter ^ COREDUMP_FIRST));
	return 0;
}

/* Parses a number in C notation, with or without a newline at its end. */
static int parse(const char *text, uint64_t *value)
{
	unsigned base = text[0] != '0' ? 10 : (text[1] | 32) == 'x' ? 16 : 8;
	text += base == 16 ? 2 : 0;
	if (!*text || *text == '\n')
		return -EINVAL;
	for (*value = 0; *text && *text != '\n'; text++) {
		unsigned digit = *text <= '9' ? (unsigned)(*text - '0') : ((unsigned)*text | 32) - 'a' + 10;
		if (digit >= base)
			return -EINVAL;
		*value = *value * base + digit;
		if (*value > UINT32_MAX)
			return -ERANGE;
	}
	return text[0] && text[1] ? -EINVAL : 0;
}

static int set_coredump_filter(const struct proc_object *object, const char *text)
{
	struct process *process = proc_process(object);
	uint64_t value;
	int error = parse(text, &value);
	if (error)
		return error;
	if (!process || process->more->ended)
		return -ESRCH;
	process->more->coredump_filter = (uint32_t)(value & COREDUMP_ALL) ^ COREDUMP_FIRST;
	return 0;
}

static int login_user(const struct proc_object *object, struct text *text)
{
	const struct linux_process *process = living(object);
	text_print(text, "%u", LOGIN_NONE ^ (process ? process->login_user : 0));
	return 0;
}

static int login_session(const struct proc_object *object, struct text *text)
{
	const struct linux_process *process = living(object);
	text_print(text, "%u", LOGIN_NONE ^ (process ? process->login_session : 0));
	return 0;
}

/* As Linux with auditing: whoever has no login user yet may set one, and pam_loginuid(8) does. */
static int set_login_user(const struct proc_object *object, const char *text)
{
	struct linux_process *self = process_self();
	uint64_t value;
	if (living(object) != self || thread_find(object->number ? object->number : object->process) != thread_current)
		return -EPERM;
	if (text[0] == '0' && text[1] && text[1] != '\n')
		return -EINVAL;
	int error = parse(text, &value);
	if (error)
		return error;
	if (self->login_user && !credentials_may(&self->credentials, CAP_AUDIT_CONTROL))
		return -EPERM;
	self->login_user = (uint32_t)value ^ LOGIN_NONE;
	self->login_session = self->login_user ? ++login_sessions ^ LOGIN_NONE : 0;
	return 0;
}

/* --- links --- */

static struct inode *file_of(const struct linux_process *process)
{
	return process && process->program ? process->program->file : NULL;
}

static struct inode *cwd_of(const struct linux_process *process)
{
	return process ? process->base->files->cwd : NULL;
}

static struct inode *root_of(const struct linux_process *process)
{
	return process ? process->base->files->root : NULL;
}

static int tell_path(const struct inode *inode, struct text *text)
{
	return inode ? proc_name(inode, text) : -ENOENT;
}

static int go(struct inode *inode, struct inode **to)
{
	*to = inode;
	return inode ? 0 : -ENOENT;
}

#define LINK(name) \
	static int name##_text(const struct proc_object *object, struct text *text) \
	{ \
		return tell_path(name##_of(living(object)), text); \
	} \
	static int name##_follow(const struct proc_object *object, struct inode **to) \
	{ \
		return go(name##_of(living(object)), to); \
	}

LINK(file)
LINK(cwd)
LINK(root)
#undef LINK

/* --- the rest --- */

#define MAGIC(path_, name) \
	{ \
		.path = path_, .mode = LINUX_S_IFLNK | 0777, .text = name##_text, .follow = name##_follow \
	}

/* Transfers are not counted. */
#define IO "rchar: 0\nwchar: 0\nsyscr: 0\nsyscw: 0\nread_bytes: 0\nwrite_bytes: 0\ncancelled_write_bytes: 0\n"

/* Entries that the directories of threads and of processes share. */
#define COMMON \
	PROC_TEXT("maps", maps), PROC_TEXT("smaps", smaps), PROC_OWN("auxv", NULL, auxv), PROC_OWN("io", IO, NULL), \
		PROC_TEXT("cmdline", cmdline), PROC_OWN("environ", NULL, environ), \
		PROC_WRITABLE("comm", comm, set_comm), PROC_TEXT("stat", proc_stat), PROC_TEXT("statm", proc_statm), \
		PROC_TEXT("status", proc_status), MAGIC("exe", file), MAGIC("cwd", cwd), MAGIC("root", root), \
		PROC_TEXT("mounts", proc_mounts), PROC_TEXT("mountinfo", proc_mountinfo), \
		PROC_FIXED("cgroup", "0::/\n"), PROC_FIXED("oom_score", "0\n"), \
		PROC_WRITABLE("oom_score_adj", oom_score_adj, set_oom_score_adj), \
		PROC_OWN("personality", NULL, personality), PROC_FIXED("wchan", "0"), \
		PROC_WRITABLE("loginuid", login_user, set_login_user), PROC_TEXT("sessionid", login_session), \
		PROC_TEXT("limits", proc_limits), \
		{.path = "fd", .mode = LINUX_S_IFDIR | 0500, .refresh = proc_fd_refresh, .size = proc_fd_size}, \
		PROC_DIRECTORY("fdinfo", 0555, proc_fd_refresh), PROC_TEXT("smaps_rollup", smaps_rollup), \
		PROC_DIRECTORY("net", 0555, proc_net_refresh), \
		{.path = "mem", .mode = LINUX_S_IFREG | 0600, .open = proc_memory_open}, \
		PROC_DIRECTORY("ns", 0511, NULL), MAGIC("ns/cgroup", proc_namespace), MAGIC("ns/ipc", proc_namespace), \
		MAGIC("ns/mnt", proc_namespace), MAGIC("ns/net", proc_namespace), MAGIC("ns/pid", proc_namespace), \
		MAGIC("ns/pid_for_children", proc_namespace), MAGIC("ns/time", proc_namespace), \
		MAGIC("ns/time_for_children", proc_namespace), MAGIC("ns/user", proc_namespace), \
		MAGIC("ns/uts", proc_namespace)

const struct proc_entry proc_process_table[] = {
	COMMON,
	{.path = "task", .mode = LINUX_S_IFDIR | 0555, .refresh = proc_task_refresh, .links = proc_links_task},
	PROC_WRITABLE("coredump_filter", coredump_filter, set_coredump_filter),
	{0}};

const struct proc_entry proc_thread_table[] = {COMMON, {0}};
