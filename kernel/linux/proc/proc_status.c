/* SPDX-License-Identifier: MIT */
/* stat, statm, status and limits of processes and threads (proc(5)). Values that are not counted here are 0. */
#include "kernel/linux/proc/proc_status.h"

#include "abi/errno.h"
#include "abi/layout.h"
#include "abi/linux_signal.h"
#include "kernel/linux/memory/memory_layout.h"
#include "kernel/linux/proc/proc_cpu.h"
#include "kernel/linux/process/credentials.h"
#include "kernel/mm/mappings.h"
#include "kernel/sched/account.h"
#include "kernel/sys/limits.h"
#include "kernel/sys/scheduling.h"
#include "kernel/time/vclock.h"
#include "kernel/vfs/device.h"
#include "kernel/vfs/terminal.h"

#define TICK_NS 10000000UL

/* The subject of the files, with the values that they share. */
struct subject {
	const struct process *process;
	const struct linux_process *more;
	const struct thread *thread; /**< NULL: it has ended */
	uint32_t number, parent, threads;
	char state;
	struct linux_space_extent extent, peak;
	uint64_t ran_ns;
	uint64_t pending, shared, ignored, caught;
};

static void measure(struct subject *subject)
{
	const struct linux_space *space = subject->more->space;
	if (!space || subject->more->ended)
		return;
	subject->extent = linux_space_extent(space);
	subject->peak = linux_space_peak(space);
}

static void add_threads(struct subject *subject, bool one)
{
	if (!one)
		subject->ran_ns = subject->more->ended_ns;
	struct process *current = process_enter((struct process *)subject->process);
	for (struct thread *thread = NULL; (thread = process_thread_after(thread));) {
		if (!one || thread == subject->thread)
			subject->ran_ns += account_ran_ns(thread);
		if (thread != subject->thread)
			continue;
		subject->state = subject->more->stopped ? 'T' : thread->state == THREAD_READY ? 'R' : 'S';
	}
	process_enter(current);
}

static int gather(const struct proc_object *object, struct subject *subject)
{
	const struct process *process = proc_process(object);
	if (!process)
		return -ESRCH;
	*subject = (struct subject){.process = process, .more = process->more, .state = 'S'};
	subject->number = object->number ? object->number : process->id;
	const struct linux_process *parent = process->more->parent;
	subject->parent = parent ? parent->base->id : 0;
	/* The first thread is a zombie as long as others live. */
	const struct thread *thread = thread_find(subject->number), *main = thread_find(process->id);
	subject->threads = process->more->ended ? 1 : process->threads + !main;
	if (process->more->ended) {
		subject->state = 'Z';
		subject->ran_ns = process->more->ended_ns;
		return 0;
	}
	subject->thread = thread && thread->process == process ? thread : NULL;
	if (subject->number == process->id && !main)
		subject->state = 'Z';
	else
		measure(subject);
	add_threads(subject, object->number);
	subject->shared = process->signals.queue.pending;
	if (subject->thread)
		subject->pending = subject->thread->signals.queue.pending;
	for (int sig = 1; sig <= LINUX_NSIG; sig++) {
		uint64_t handler = (uint64_t)process->signals.actions[sig].handler;
		if (handler == LINUX_SIG_IGN)
			subject->ignored |= 1UL << (sig - 1);
		else if (handler)
			subject->caught |= 1UL << (sig - 1);
	}
	return 0;
}

int proc_stat(const struct proc_object *object, struct text *text)
{
	struct subject s;
	int error = gather(object, &s);
	if (error)
		return error;
	uint64_t blocked = s.thread ? s.thread->signals.blocked : 0;
	const struct terminal *terminal = s.more->terminal;
	const int nice = s.thread ? s.thread->nice : 0;
	text_print(text,
	           "%u (%s) %c %u %u %u %u %d 4194304 0 0 0 0 %lu 0 %lu 0 %d %d %u 0 %lu %lu %lu 18446744073709551615 ",
	           s.number, proc_thread_name(object), s.state, s.parent, s.more->group, s.more->session,
	           terminal ? (unsigned)DEVICE_TERMINAL(terminal->number) : 0,
	           terminal ? (int)terminal->foreground : -1, s.ran_ns / TICK_NS, s.more->children_ns / TICK_NS,
	           20 + nice, nice, s.threads, vclock_since_boot(s.more->start_ns) / TICK_NS, s.extent.mapped,
	           s.extent.resident / PAGE_SIZE);
	/* Addresses of the program, from startcode on, are only in auxv and maps. */
	text_print(text, "1 1 %lu 0 0 %lu %lu %lu %lu 0 0 0 17 %u 0 0 0 0 0 0 0 0 0 0 0 0 %u\n",
	           s.more->space ? s.more->space->layout.stack_top : 0, s.pending & 0x7fffffff, blocked & 0x7fffffff,
	           s.ignored & 0x7fffffff, s.caught & 0x7fffffff, s.thread ? thread_processor(s.thread) : 0,
	           s.more->ended ? (unsigned)s.more->status : 0);
	return 0;
}

int proc_statm(const struct proc_object *object, struct text *text)
{
	struct subject s;
	int error = gather(object, &s);
	if (error)
		return error;
	text_print(text, "%lu %lu 0 0 0 %lu 0\n", s.extent.mapped / PAGE_SIZE, s.extent.resident / PAGE_SIZE,
	           s.extent.resident / PAGE_SIZE);
	return 0;
}

static void status_user(const struct credentials *credentials, uint32_t slots, struct text *text)
{
	const struct credential *user = &credentials->user, *group = &credentials->group;
	text_print(text, "Uid:\t%u\t%u\t%u\t%u\nGid:\t%u\t%u\t%u\t%u\nFDSize:\t%u\nGroups:\t", user->real,
	           user->effective, user->saved, user->file_system, group->real, group->effective, group->saved,
	           group->file_system, slots);
	for (uint32_t i = 0; credentials->groups && i < credentials->groups->count; i++)
		text_print(text, "%u ", credentials->groups->numbers[i]);
	text_print(text, "\n");
}

static void status_memory(const struct subject *s, struct text *text)
{
	if (s->state == 'Z')
		return;
	text_print(text, "VmPeak:\t%8lu kB\nVmSize:\t%8lu kB\nVmLck:\t%8u kB\nVmPin:\t%8u kB\n", s->peak.mapped / 1024,
	           s->extent.mapped / 1024, 0U, 0U);
	text_print(text, "VmHWM:\t%8lu kB\nVmRSS:\t%8lu kB\nVmData:\t%8lu kB\nVmStk:\t%8lu kB\nVmSwap:\t%8u kB\n",
	           s->peak.resident / 1024, s->extent.resident / 1024, s->extent.resident / 1024,
	           s->extent.stack / 1024, 0U);
}

/* Adds a name, with the characters escaped that would end the line, or look like an escape. */
static void status_name(const char *name, struct text *text)
{
	text_print(text, "Name:\t");
	for (; *name; name++) {
		if (*name == '\n' || *name == '\\')
			text_add(text, "\\", 1);
		text_add(text, *name == '\n' ? "n" : name, 1);
	}
	text_print(text, "\n");
}

int proc_status(const struct proc_object *object, struct text *text)
{
	struct subject s;
	int error = gather(object, &s);
	if (error)
		return error;
	status_name(proc_thread_name(object), text);
	if (s.state != 'Z') {
		text_print(text, "Umask:\t");
		text_octal(text, s.process->files->umask, 4);
		text_print(text, "\n");
	}
	text_print(text, "State:\t%c (%s)\nTgid:\t%u\nNgid:\t0\nPid:\t%u\nPPid:\t%u\nTracerPid:\t0\n", s.state,
	           s.state == 'R'   ? "running"
	           : s.state == 'Z' ? "zombie"
	           : s.state == 'T' ? "stopped"
	                            : "sleeping",
	           s.process->id, s.number, s.parent);
	status_user(&s.more->credentials, s.state == 'Z' ? 0 : s.process->files->fds.room, text);
	text_print(text, "NStgid:\t%u\nNSpid:\t%u\nNSpgid:\t%u\nNSsid:\t%u\n", s.process->id, s.number, s.more->group,
	           s.more->session);
	status_memory(&s, text);
	text_print(text, "Threads:\t%u\nSigQ:\t0/0\nSigPnd:\t%016lx\nShdPnd:\t%016lx\nSigBlk:\t%016lx\n", s.threads,
	           s.pending, s.shared, s.thread ? s.thread->signals.blocked : 0UL);
	text_print(text, "SigIgn:\t%016lx\nSigCgt:\t%016lx\n", s.ignored, s.caught);
	const struct credentials *has = &s.more->credentials;
	text_print(text, "CapInh:\t%016lx\nCapPrm:\t%016lx\nCapEff:\t%016lx\nCapBnd:\t%016lx\nCapAmb:\t%016lx\n",
	           has->inheritable, has->permitted, has->effective, has->bounding, has->ambient);
	text_print(text, "NoNewPrivs:\t%d\nSeccomp:\t0\nSeccomp_filters:\t0\n", s.more->no_new_privileges);
	proc_cpu_set(text, s.thread ? scheduling_affinity(s.thread) : scheduling_all());
	text_print(text, "Mems_allowed:\t1\nMems_allowed_list:\t0\n");
	text_print(text, "voluntary_ctxt_switches:\t%lu\nnonvoluntary_ctxt_switches:\t0\n",
	           s.thread ? s.thread->switches : 0UL);
	return 0;
}

static void put_limit(struct text *text, const char *name, const struct linux_rlimit *limit, const char *unit)
{
	const uint64_t values[] = {limit->rlim_cur, limit->rlim_max};
	size_t start = text->bytes;
	text_print(text, "%s", name);
	for (int i = 0; i < 2; i++) {
		while (!text->error && text->bytes < start + 26 + 21 * (size_t)i)
			text_add(text, " ", 1);
		if (values[i] == UINT64_MAX)
			text_print(text, "unlimited");
		else
			text_print(text, "%lu", values[i]);
	}
	while (!text->error && text->bytes < start + 68)
		text_add(text, " ", 1);
	text_print(text, "%s\n", unit);
}

int proc_limits(const struct proc_object *object, struct text *text)
{
	static const struct {
		const char *name, *unit;
	} all[16] = {
		{"Max cpu time", "seconds"},    {"Max file size", "bytes"},      {"Max data size", "bytes"},
		{"Max stack size", "bytes"},    {"Max core file size", "bytes"}, {"Max resident set", "bytes"},
		{"Max processes", "processes"}, {"Max open files", "files"},     {"Max locked memory", "bytes"},
		{"Max address space", "bytes"}, {"Max file locks", "locks"},     {"Max pending signals", "signals"},
		{"Max msgqueue size", "bytes"}, {"Max nice priority", ""},       {"Max realtime priority", ""},
		{"Max realtime timeout", "us"},
	};
	const struct process *process = proc_process(object);
	if (!process)
		return -ESRCH;
	text_print(text, "Limit                     Soft Limit           Hard Limit           Units     \n");
	for (int i = 0; i < 16; i++)
		put_limit(text, all[i].name, &process->limits[i], all[i].unit);
	return 0;
}
