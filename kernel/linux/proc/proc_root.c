/* SPDX-License-Identifier: MIT */
/* The roots of /proc and /sys, and the directories of processes and threads, which come and go. */
#include "abi/errno.h"
#include "kernel/lib/bug.h"
#include "kernel/lib/format.h"
#include "kernel/lib/string.h"
#include "kernel/linux/files/mounts.h"
#include "kernel/linux/proc/proc.h"
#include "kernel/linux/proc/proc_net.h"
#include "kernel/sched/sched.h"
#include "kernel/vfs/dentry.h"
#include "kernel/vfs/namei.h"

#define PROC_MAGIC 0x9fa0
#define SYSFS_MAGIC 0x62656572

static struct mount proc_mount = {.dev = 28, .next_ino = 1, .magic = PROC_MAGIC};
static struct mount sys_mount = {.dev = 29, .next_ino = 1, .magic = SYSFS_MAGIC};

static const struct proc_entry process_entry = PROC_DIRECTORY("", 0555, NULL);
static const struct proc_entry hidden_entry = PROC_DIRECTORY("", 0555, NULL); /* a process's, by another thread */

struct process *proc_process(const struct proc_object *object)
{
	const struct linux_process *process = process_find(object->process);
	if (!process)
		return NULL;
	return process->base;
}

const char *proc_thread_name(const struct proc_object *object)
{
	const struct thread *thread = object->number ? thread_find(object->number) : NULL;
	return thread ? thread->name : process_find(object->process)->name;
}

bool proc_is_process(const struct inode *inode, struct linux_process **process)
{
	if (inode->mount != &proc_mount || proc_object_of(inode)->entry != &process_entry)
		return false;
	*process = process_find(proc_object_of(inode)->process);
	return true;
}

/* The directory of a number, created if needed. Returns 0 or -ENOMEM. */
static int have_directory(struct inode *dir, const struct proc_object *about, const struct proc_entry *table,
                          uint32_t number)
{
	char name[12];
	size_t length = format(name, sizeof(name), "%u", number);
	if (dentry_find(dir, name, length, dentry_hash(name, length)))
		return 0;
	struct inode *made = proc_add(dir, name, about);
	return made ? proc_add_all(made, table, about->process, about->number) : -ENOMEM;
}

/* --- processes --- */

static int have_process(struct inode *root, uint32_t id)
{
	const struct proc_object about = {.entry = &process_entry, .process = id};
	return have_directory(root, &about, proc_process_table, id);
}

/* The first thread exists, after its end as a zombie, until its process is waited for. */
static bool has_thread(const struct proc_object *object)
{
	const struct thread *thread = thread_find(object->number);
	return (thread && thread->process->id == object->process) ||
	       (object->number == object->process && process_find(object->process));
}

/* A lookup by number finds any thread, but listings have only first threads: before a listing, the others are
 * removed. */
static int have_hidden(struct inode *root, const struct thread *thread)
{
	const struct proc_object about = {&hidden_entry, thread->process->id, thread->tid};
	return thread->tid == about.process ? 0 : have_directory(root, &about, proc_process_table, thread->tid);
}

static void forget_processes(struct inode *root, bool hidden)
{
	for (struct dentry *dentry = root->dir.first, *next; dentry; dentry = next) {
		next = dentry->next;
		const struct proc_object *object = proc_object_of(dentry->inode);
		if ((object->entry == &process_entry && !process_find(object->process)) ||
		    (object->entry == &hidden_entry && (hidden || !has_thread(object))))
			proc_remove(dentry);
	}
}

static int root_refresh(struct inode *root, const char *name, size_t length)
{
	int64_t number = name ? proc_number(name, length) : -1;
	int error = 0;
	/* Earlier lookups decide which names exist in memory, but do not affect the result of a lookup. */
	const struct thread *thread = number > 0 ? thread_find((uint32_t)number) : NULL;
	forget_processes(root, !name);
	if (thread)
		error = have_hidden(root, thread);
	for (struct process *process = &process_first; process && !error; process = process->next)
		if (!name || process->id == number)
			error = have_process(root, process->id);
	for (struct dentry *dentry = root->dir.first; dentry && !error; dentry = dentry->next)
		if (LINUX_S_ISLNK(dentry->inode->mode))
			error = proc_retarget(dentry->inode);
	return error;
}

/* --- threads --- */

static const struct proc_entry thread_entry = PROC_DIRECTORY("", 0555, NULL);

static int have_thread(struct inode *dir, uint32_t process, uint32_t tid)
{
	const struct proc_object about = {&thread_entry, process, tid};
	return have_directory(dir, &about, proc_thread_table, tid);
}

int proc_task_refresh(struct inode *dir, const char *name, size_t length)
{
	const struct proc_object *object = proc_object_of(dir);
	struct process *process = proc_process(object);
	int64_t number = name ? proc_number(name, length) : -1;
	int error = 0;
	for (struct dentry *dentry = dir->dir.first, *next; dentry; dentry = next) {
		next = dentry->next;
		if (!has_thread(proc_object_of(dentry->inode)))
			proc_remove(dentry);
	}
	if (!process)
		return 0;
	if (!name || process->id == number)
		error = have_thread(dir, process->id, process->id);
	struct process *current = process_enter(process);
	for (struct thread *thread = NULL; !error && (thread = process_thread_after(thread));)
		if (!name || thread->tid == number)
			error = have_thread(dir, process->id, thread->tid);
	process_enter(current);
	return error;
}

int proc_init(void)
{
	static const struct proc_entry proc = {
		.path = "", .mode = LINUX_S_IFDIR | 0555, .refresh = root_refresh, .links = proc_links_root};
	static const struct proc_entry sys = PROC_DIRECTORY("", 0555, NULL);
	if (!proc_root(&proc_mount, &proc, proc_system_table) || !proc_root(&sys_mount, &sys, proc_sys_table) ||
	    proc_add_all(sys_mount.root, proc_interface_table, 0, 0))
		return -ENOMEM;
	proc_mount.read_only = sys_mount.read_only = true;
	int error = mounts_over_root("proc", proc_mount.root);
	return error ? error : mounts_over_root("sys", sys_mount.root);
}
