/* SPDX-License-Identifier: MIT */
/* Linux processes as an engine, for hosts without KVM: the guest is ring-3 code, and a process can run it. Its memory
 * is a file that the processes map as the guest's page tables say. Its exceptions are signals, which the stub (stub/)
 * delivers as a processor would. seccomp leaves the processes a handful of system calls. docs/engines.md describes it.
 *
 * Nothing in memory that a guest can write is trusted: the only process number used is the zygote's, from clone(2),
 * which is also the process group of all of them. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <linux/rseq.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/rseq.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "bases.h"
#include "channel.h"
#include "content_files.h"
#include "confine/confine.h"
#include "engine/engine.h"
#include "guest/guest_memory.h"
#include "memory.h"
#include "placement.h"
#include "plan_files.h"

struct engine {
	struct plan *plan;
	struct channel *channel;
	pid_t zygote; /* also the process group of its copies; 0: not started */
	bool dead;    /* a process of the group has ended */
	int status;   /* its status from waitpid(2) */
	struct placement placement;
	/* Interrupts since process_run began, at most one for each UNANSWERED_NS: a guest that takes over the stub can
	 * block the signal. */
	volatile sig_atomic_t unanswered;
	uint64_t interrupted_ns;
};

#define UNANSWERED_NS 50000000UL
#define UNANSWERED_MAX 100 /* five seconds after --timeout; time in which the host stalls does not count */

/* Made for the first guest and kept for later ones, because the confined monitor can make no processes: a zygote for
 * each guest. One guest runs at a time, so all share one plan and one channel. */
static struct {
	unsigned runs; /* number of guests that will run */
	pid_t zygotes[ENGINE_RUNS_MAX];
	unsigned made, used;
	struct plan *plan;
	struct channel *channel;
} kept = {.runs = 1};

/* Used by the SIGCHLD handler to make the wait of process_run return. One guest runs at a time (watch.h). */
static struct channel *volatile waiting;

/* The stub's code, stub/stub.lds. */
extern const uint8_t process_stub[], process_stub_end[];

/* What the user can do about an error of the host. */
static const char *advice(int error)
{
	switch (error) {
	case EAGAIN:
		return "; raise 'ulimit -u', or pids.max of the control group";
	case ENOMEM:
		return "; raise 'ulimit -v', or give a smaller --memory";
	default:
		return "; see eremite info --host";
	}
}

static int fail(const char *what, struct error *error)
{
	return error_set(error, errno, "the process engine cannot make %s: %s%s", what, strerror(errno), advice(errno));
}

/* Maps memory at the address that the stub expects, which must be free. */
static int map_at(uint64_t address, uint64_t bytes, int prot, int flags, int file)
{
	void *at = mmap((void *)address, bytes, prot, flags | MAP_FIXED_NOREPLACE, file, 0);
	if (at == MAP_FAILED)
		return -errno;
	if (at == (void *)address)
		return 0;
	munmap(at, bytes); /* Linux before 4.17 takes the address for a hint */
	errno = EEXIST;
	return -EEXIST;
}

_Static_assert(STUB_TEXT == 0x700000000000UL, "stub/stub.lds has it, too");

static int map_stub(void)
{
	const size_t bytes = (size_t)(process_stub_end - process_stub);
	if (bytes > STUB_TEXT_BYTES ||
	    map_at(STUB_TEXT, STUB_TEXT_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1))
		return -1;
	memcpy((void *)STUB_TEXT, process_stub, bytes);
	return mprotect((void *)STUB_TEXT, STUB_TEXT_BYTES, PROT_READ | PROT_EXEC);
}

/* Maps the plan or the channel twice: for the monitor at any address, and at the stub's address for the copy to
 * inherit. */
static void *map_shared(uint64_t address, uint64_t bytes, int prot)
{
	int file = memfd_create("channel", MFD_CLOEXEC);
	void *own = MAP_FAILED;
	if (file >= 0 && !ftruncate(file, (off_t)bytes) && !map_at(address, bytes, prot, MAP_SHARED, file))
		own = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	int error = errno;
	if (own != MAP_FAILED)
		madvise(own, bytes, MADV_DONTFORK);
	if (file >= 0)
		close(file);
	errno = error;
	return own == MAP_FAILED ? NULL : own;
}

static int map_all(void)
{
	const int own = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
	kept.plan = map_shared(STUB_PLAN, STUB_PLAN_BYTES, PROT_READ);
	if (!kept.plan)
		return -1;
	kept.channel = map_shared(STUB_CHANNEL, STUB_CHANNEL_BYTES, PROT_READ | PROT_WRITE);
	if (!kept.channel || map_at(STUB_STACK, STUB_STACK_BYTES, PROT_READ | PROT_WRITE, own, -1) ||
	    map_at(STUB_DATA, STUB_DATA_BYTES, PROT_READ | PROT_WRITE, own, -1))
		return -1;
	return map_stub();
}

/* Unmaps what only the copies need. */
static void unmap_stub(void)
{
	munmap((void *)LAYOUT_ENGINE, STUB_DATA + STUB_DATA_BYTES - LAYOUT_ENGINE);
}

/* Ends a zygote and its copies. */
static void end_group(pid_t zygote)
{
	kill(-zygote, SIGKILL);
	while (waitpid(-zygote, NULL, 0) > 0 || errno == EINTR)
		;
}

/* Linux takes a millisecond to free what the processes have mapped. process_destroy waits for them. */
static void process_leave(struct engine *engine)
{
	waiting = NULL;
	signal(SIGCHLD, SIG_DFL); /* interrupts no call of this thread */
	placement_end(&engine->placement);
	if (engine->zygote > 0)
		kill(-engine->zygote, SIGKILL);
}

static void process_destroy(struct engine *engine)
{
	if (engine)
		process_leave(engine);
	if (engine && engine->zygote > 0)
		end_group(engine->zygote);
	free(engine);
}

static void process_open(unsigned runs)
{
	kept.runs = runs;
}

static void forget_kept(void)
{
	while (kept.used < kept.made)
		end_group(kept.zygotes[kept.used++]);
	content_files_close();
	if (kept.plan)
		munmap(kept.plan, STUB_PLAN_BYTES);
	if (kept.channel)
		munmap(kept.channel, STUB_CHANNEL_BYTES);
	memset(&kept, 0, sizeof(kept));
	kept.runs = 1;
}

static void process_close(void)
{
	forget_kept();
	process_memory_close();
}

static void process_holds(const struct engine *engine, struct engine_holds *holds)
{
	(void)engine;
	*holds = (struct engine_holds){.needs = CONFINE_PROCESS, .group_count = kept.made};
	memcpy(holds->groups, kept.zygotes, sizeof(kept.zygotes));
	holds->socket_count = content_files_sockets(holds->sockets);
	holds->fd_count = process_memory_files(holds->fds);
}

static uint64_t process_set_base(void)
{
	return bases_have_fsgsbase() ? 0 : STUB_SET_BASE;
}

static int process_probe(struct error *why)
{
	/* Without seccomp(2) the guest's system calls could not be told from the stub's. */
	const uint32_t action = SECCOMP_RET_TRAP;
	if (!syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action))
		return 0;
	return error_set(
		why, errno,
		"this host's kernel has no seccomp filters, or forbids them (%s): boot one with CONFIG_SECCOMP_FILTER, "
		"or have the container allow seccomp(2)",
		strerror(errno));
}

static int process_create(struct engine **created, const struct image_header *image, const struct engine_cpu *cpu,
                          struct error *error)
{
	(void)cpu; /* instructions that show the processor are patched, and the registers are the host's */
	int result = kept.plan ? 0 : process_probe(error);
	if (result)
		return result;
	struct engine *engine = calloc(1, sizeof(*engine));
	if (!engine)
		return error_set(error, ENOMEM, "out of memory");
	if (!kept.plan && map_all()) {
		result = fail("the memory of the guest's processes", error);
		free(engine);
		unmap_stub();
		forget_kept();
		return result;
	}
	engine->plan = kept.plan;
	engine->channel = kept.channel;
	/* Keeps the RAM in the plan, because zygotes that start late read it. */
	engine->plan->image = *image;
	engine->plan->processes = PLAN_PROCESSES;
	engine->plan->region_count = 0;
	content_files_begin(engine->plan);
	engine->plan->placement = 0;
	engine->plan->sets_bases = !bases_have_fsgsbase();
	plan_files_begin(engine->plan);
	memset(engine->channel, 0, sizeof(*engine->channel));
	*created = engine;
	return 0;
}

static int process_map(struct engine *engine, uint64_t address, const struct host_memory *memory, uint64_t offset,
                       uint64_t bytes, bool writable)
{
	struct plan *plan = engine->plan;
	if (address >= LAYOUT_CONTENTS)
		return content_files_map(plan, kept.used, address, memory, offset, bytes);
	if (memory->file < 0 || plan->region_count == PLAN_REGIONS ||
	    !plan_files_know(plan, memory->file, writable, !kept.made)) /* later guests have the first one's files */
		return -EINVAL;
	if (address == 0 && kept.made && (plan->ram_bytes != memory->bytes || plan->ram_file != memory->file))
		return -EINVAL; /* the zygotes have mapped the first guest's RAM */
	if (address == 0 && !kept.made) {
		plan->ram_bytes = memory->bytes;
		plan->ram_file = memory->file;
	}
	plan->regions[plan->region_count] = (struct plan_region){address, bytes, offset, memory->file, writable};
	__atomic_store_n(&plan->region_count, plan->region_count + 1, __ATOMIC_SEQ_CST);
	return 0;
}

static int process_set_registers(struct engine *engine, const struct engine_registers *registers)
{
	memcpy(engine->channel->registers, registers->general, sizeof(registers->general));
	engine->channel->rflags = registers->rflags;
	engine->channel->changed = 1;
	return 0;
}

static int process_get_registers(struct engine *engine, struct engine_registers *registers)
{
	*registers = (struct engine_registers){0}; /* no exception is pending: the stub has delivered it */
	guest_memory_copy(&registers->rflags, &engine->channel->rflags, sizeof(registers->rflags));
	guest_memory_copy(registers->general, engine->channel->registers, sizeof(registers->general));
	return 0;
}

/* Closes all descriptors except those of guest memory, and `kept_too`. */
static void close_others(const struct plan *plan, int kept_too)
{
	int left[PLAN_REGIONS + 1], count = 0;
	unsigned next = 0;
	for (unsigned i = 0; i <= plan->file_count; i++) {
		int at = count++, file = i < plan->file_count ? plan->files[i] : kept_too;
		for (; at && left[at - 1] > file; at--)
			left[at] = left[at - 1];
		left[at] = file;
	}
	for (int i = 0; i < count; i++) {
		if ((unsigned)left[i] > next)
			syscall(SYS_close_range, next, (unsigned)left[i] - 1, 0);
		next = (unsigned)left[i] + 1;
	}
	syscall(SYS_close_range, next, ~0U, 0);
}

/* Unregisters rseq. The kernel requires the size that the C library registered: 32, or more in newer libraries. */
static void unregister_rseq(void)
{
	char *area = (char *)__builtin_thread_pointer() + __rseq_offset;
	for (unsigned bytes = 32; __rseq_size && bytes <= 512; bytes += 32)
		if (!syscall(SYS_rseq, area, bytes, RSEQ_FLAG_UNREGISTER, RSEQ_SIG))
			return;
}

/* Makes the host kill the guest's processes first when memory is exhausted, so that the monitor can report it. */
static void offer_to_be_killed(void)
{
	static const char highest[] = "1000";
	int fd = open("/proc/self/oom_score_adj", O_WRONLY);
	if (fd < 0) /* no close is needed: all descriptors will be closed */
		return;
	ssize_t ignored = write(fd, highest, sizeof(highest) - 1);
	(void)ignored;
}

/* Raises the limit of descriptors to the hard limit. */
static void raise_files(void)
{
	struct rlimit limit;
	if (!syscall(SYS_prlimit64, 0, RLIMIT_NOFILE, NULL, &limit)) {
		limit.rlim_cur = limit.rlim_max;
		syscall(SYS_prlimit64, 0, RLIMIT_NOFILE, &limit, NULL);
	}
}

/* Limits the address space to what the stub maps: its own areas, all of RAM, and STUB_BLOCKS blocks. A guest that takes
 * over the stub could otherwise map its RAM many times, and the host's page tables for that would fill its memory. */
static void limit_mappings(const struct plan *plan)
{
	const rlim_t most = STUB_DATA + STUB_DATA_BYTES - LAYOUT_ENGINE + plan->ram_bytes + STUB_BLOCKS * BLOCK_SIZE;
	struct rlimit limit;
	if (getrlimit(RLIMIT_AS, &limit))
		return;
	limit.rlim_max = limit.rlim_max < most ? limit.rlim_max : most;
	limit.rlim_cur = limit.rlim_cur < most ? limit.rlim_cur : most;
	setrlimit(RLIMIT_AS, &limit);
}

/* Turns the copy of the monitor into the zygote. Uses only system calls. Unregisters memory of the C library from the
 * kernel, because it will be unmapped. */
static _Noreturn void become_stub(pid_t monitor, unsigned run, int socket)
{
	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	offer_to_be_killed(); /* before PR_SET_DUMPABLE, after which it would fail */
	prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
	prctl(PR_SET_NAME, "eremite-guest", 0, 0, 0);
	if (getppid() != monitor) /* the monitor has already ended */
		syscall(SYS_exit_group, 1);
	*(struct stub_head *)STUB_DATA = (struct stub_head){.run = run, .parent = monitor, .contents = socket};
	const struct plan *plan = (const struct plan *)STUB_PLAN; /* the monitor's own mapping of it is not inherited */
	raise_files();
	close_others(plan, socket);
	limit_mappings(plan);
	unregister_rseq();
	syscall(SYS_set_robust_list, NULL, 24);
	syscall(SYS_set_tid_address, NULL);
	__asm__ volatile("mov %0, %%rsp\n\t"
	                 "xor %%ebp, %%ebp\n\t"
	                 "call *%1" ::"r"(STUB_STACK + STUB_STACK_BYTES - 64),
	                 "r"(STUB_TEXT));
	__builtin_unreachable();
}

static void on_child(int signal)
{
	struct channel *channel = waiting;
	(void)signal;
	if (channel) /* a wait that has not begun yet sees the changed value and returns */
		__atomic_fetch_add(&channel->stopped, 1, __ATOMIC_SEQ_CST);
}

/* Makes the zygote of guest number `run`. */
static int make_zygote(unsigned run)
{
	const pid_t monitor = getpid();
	int socket = content_files_pair();
	if (socket < 0)
		return -1;
	/* Not fork(3), which would run the C library's fork handlers in the copy. */
	long pid = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
	if (pid == 0)
		become_stub(monitor, run, socket);
	close(socket);
	if (pid < 0)
		return -1;
	setpgid((pid_t)pid, (pid_t)pid);
	kept.zygotes[kept.made++] = (pid_t)pid;
	return 0;
}

static int make_zygotes(struct error *error)
{
	sigset_t all, old;
	int result = 0;
	content_files_make_room();
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &old);
	for (unsigned run = 1; run <= kept.runs && !result; run++)
		if (make_zygote(run))
			result = fail("a process", error);
	sigdelset(&old, SIGCHLD); /* the caller may have inherited it blocked */
	sigprocmask(SIG_SETMASK, &old, NULL);
	unmap_stub();
	return result;
}

static int process_start(struct engine *engine, struct error *error)
{
	const struct sigaction action = {.sa_handler = on_child, .sa_flags = SA_NOCLDSTOP};
	struct channel *channel = engine->channel;
	sigaction(SIGCHLD, &action, NULL);
	placement_begin(&engine->placement, engine->plan);
	int result = kept.made ? 0 : make_zygotes(error);
	if (result)
		return result;
	engine->zygote = kept.zygotes[kept.used++];
	channel->space_count = 1;
	channel->spaces[0].root = LAYOUT_PAGE_TABLES;
	channel->seen[channel->seen_next++] = LAYOUT_PAGE_TABLES;
	waiting = channel;
	channel->birth = 1;
	__atomic_store_n(&engine->plan->run, kept.used, __ATOMIC_SEQ_CST);
	syscall(SYS_futex, &engine->plan->run, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
	return 0;
}

/* Describes why the guest's processes have ended. */
static void explain_death(struct engine *engine, struct engine_exit *exit)
{
	const int status = engine->status, sig = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
	exit->stop = ENGINE_BROKEN;
	if (sig == SIGKILL)
		snprintf(exit->message, sizeof(exit->message),
		         "the guest's process was killed, by another process or because the host or its control group "
		         "has no "
		         "more memory: raise memory.max, or give a smaller --memory");
	else if (sig == SIGSYS)
		snprintf(exit->message, sizeof(exit->message),
		         "the guest's process made a forbidden system call, and the host killed it");
	else if (sig)
		snprintf(exit->message, sizeof(exit->message), "the guest's process ended (signal %d)", sig);
	else /* an error before the guest began (stub/start.c) */
		snprintf(exit->message, sizeof(exit->message), "the host cannot make the guest's process: %s%s",
		         strerror(WEXITSTATUS(status)), advice(WEXITSTATUS(status)));
}

/* Whether one of the guest's processes has ended. All of them end with the guest. */
static bool has_died(struct engine *engine)
{
	if (!engine->dead)
		engine->dead = waitpid(-engine->zygote, &engine->status, WNOHANG) > 0;
	return engine->dead;
}

/* From time to time checks on which processors the guest runs, and may move it. */
static void look_at_placement(struct engine *engine, bool waited)
{
	uint64_t turns = __atomic_load_n(&engine->channel->clock, __ATOMIC_RELAXED);
	if (placement_look(&engine->placement, engine->plan, turns, waited) && !engine->dead)
		kill(-engine->zygote, SIGUSR1);
}

static void wait_for_guest(struct engine *engine, uint32_t stopped)
{
	const uint64_t ns = placement_wait_ns(&engine->placement);
	const struct timespec limit = {0, (long)ns};
	if (syscall(SYS_futex, &engine->channel->stopped, FUTEX_WAIT, stopped, ns ? &limit : NULL, NULL, 0) &&
	    errno == ETIMEDOUT)
		look_at_placement(engine, true);
}

/* Ends a guest that does not stop. */
static void end_unanswered(struct engine *engine, struct engine_exit *exit)
{
	if (engine->zygote > 0)
		kill(-engine->zygote, SIGKILL);
	exit->stop = ENGINE_BROKEN;
	snprintf(exit->message, sizeof(exit->message),
	         "the guest's process did not stop when it was interrupted, and the monitor ended it");
}

static void process_run(struct engine *engine, struct engine_exit *exit)
{
	struct channel *channel = engine->channel;
	engine->unanswered = 0;
	if (__atomic_exchange_n(&channel->interrupt, 0, __ATOMIC_SEQ_CST)) {
		exit->stop = ENGINE_INTERRUPTED;
		return;
	}
	channel->reason = 0;
	look_at_placement(engine, false);
	uint32_t stopped = __atomic_load_n(&channel->stopped, __ATOMIC_SEQ_CST);
	__atomic_fetch_add(&channel->go, 1, __ATOMIC_SEQ_CST);
	syscall(SYS_futex, &channel->go, FUTEX_WAKE, 1, NULL, NULL, 0);
	uint32_t reason;
	for (;;) {
		reason = __atomic_load_n(&channel->reason, __ATOMIC_SEQ_CST);
		if (reason)
			break;
		if (has_died(engine)) {
			explain_death(engine, exit);
			return;
		}
		if (engine->unanswered > UNANSWERED_MAX) {
			end_unanswered(engine, exit);
			return;
		}
		wait_for_guest(engine, stopped);
		stopped = __atomic_load_n(&channel->stopped, __ATOMIC_SEQ_CST);
	}
	if (reason == CHANNEL_DOORBELL) {
		exit->stop = ENGINE_DOORBELL;
		exit->doorbell_op = __atomic_load_n(&channel->op, __ATOMIC_RELAXED);
	} else if (reason == CHANNEL_INTERRUPTED) {
		exit->stop = ENGINE_INTERRUPTED;
		channel->interrupt = 0;
	} else {
		exit->stop = ENGINE_BROKEN;
		guest_memory_copy(exit->message, channel->message, sizeof(exit->message));
		exit->message[sizeof(exit->message) - 1] = 0;
		if (reason != CHANNEL_BROKEN || !*exit->message)
			strcpy(exit->message, "the guest's process stopped for an unknown reason");
		for (char *c = exit->message; *c; c++) /* the message may go to a terminal */
			if ((unsigned char)*c < ' ' || (unsigned char)*c > '~')
				*c = '?';
	}
}

static void process_interrupt(struct engine *engine)
{
	struct timespec now;
	__atomic_store_n(&engine->channel->interrupt, 1, __ATOMIC_SEQ_CST);
	clock_gettime(CLOCK_MONOTONIC, &now);
	uint64_t now_ns = (uint64_t)now.tv_sec * 1000000000UL + (uint64_t)now.tv_nsec;
	if (now_ns - engine->interrupted_ns >= UNANSWERED_NS) {
		engine->interrupted_ns = now_ns;
		engine->unanswered++;
	}
	/* Processes that do not run the guest ignore the signal. */
	if (engine->zygote > 0 && !engine->dead)
		kill(-engine->zygote, SIGUSR1);
}

const struct engine_ops engine_process = {
	.name = "process",
	.probe = process_probe,
	.open = process_open,
	.close = process_close,
	.holds = process_holds,
	.create = process_create,
	.set_base = process_set_base,
	.translation = STUB_TRANSLATION,
	.reserve = process_memory_reserve,
	.map = process_map,
	.set_registers = process_set_registers,
	.get_registers = process_get_registers,
	.start = process_start,
	.run = process_run,
	.interrupt = process_interrupt,
	.leave = process_leave,
	.destroy = process_destroy,
};
