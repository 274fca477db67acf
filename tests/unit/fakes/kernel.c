/* SPDX-License-Identifier: MIT */
/* Clock, console, entropy, signals, waiting and panic. All weak: a test that links the real one gets that. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abi/errno.h"
#include "kernel/dev/console.h"
#include "kernel/dev/host.h"
#include "kernel/end.h"
#include "kernel/lib/bug.h"
#include "kernel/lib/format.h"
#include "kernel/rand/entropy.h"
#include "kernel/sched/policy.h"
#include "kernel/sched/sched.h"
#include "kernel/signal/signal.h"
#include "kernel/time/vclock.h"
#include "kernel/vfs/fdtable.h"
#include "tests/unit/fakes/fakes.h"

char fake_output[65536];
size_t fake_output_bytes;
const char *fake_input = "";
bool fake_terminal;
const char *fake_deadlock;
int fake_signal;
struct process process_first = {.id = PROCESS_ID, .limits[LINUX_RLIMIT_NOFILE] = {FDTABLE_LIMIT, FDTABLE_MAX}};
struct process *process_current = &process_first;

#define FAKE __attribute__((weak))

FAKE struct end_hooks end_hooks;

static uint64_t now_ns;

/* Nobody is told of changes. */
static const struct host_ops no_host;
FAKE const struct host_ops *host = &no_host;

FAKE uint64_t vclock_now(void)
{
	return now_ns += 1000;
}

FAKE uint64_t vclock_monotonic(void)
{
	return vclock_now();
}

FAKE uint64_t vclock_end(void)
{
	return UINT64_MAX / 4;
}

FAKE int64_t vclock_realtime(void)
{
	return (int64_t)(vclock_now() + 1700000000000000000);
}

FAKE void vclock_jump(uint64_t to_ns)
{
	now_ns = to_ns > now_ns ? to_ns : now_ns;
}

FAKE int console_write(int stream, const void *from, size_t bytes)
{
	(void)stream;
	if ((uintptr_t)from < 4096)
		return -EFAULT;
	if (bytes > sizeof(fake_output) - fake_output_bytes)
		bytes = sizeof(fake_output) - fake_output_bytes;
	memcpy(fake_output + fake_output_bytes, from, bytes);
	fake_output_bytes += bytes;
	return 0;
}

FAKE long console_read(void *to, size_t bytes)
{
	size_t length = strlen(fake_input);
	const char *newline = strchr(fake_input, '\n');
	if (newline)
		length = (size_t)(newline - fake_input) + 1;
	if (length > bytes)
		length = bytes;
	memcpy(to, fake_input, length);
	fake_input += length;
	return (long)length;
}

FAKE long console_typed(const uint8_t **key, uint64_t wait_ns)
{
	(void)key, (void)wait_ns;
	return 0;
}

FAKE void *console_arrive(size_t bytes)
{
	(void)bytes;
	return NULL;
}

FAKE size_t console_kept(const uint8_t **from)
{
	*from = NULL;
	return 0;
}

FAKE void console_drop(size_t bytes)
{
	(void)bytes;
}

FAKE bool (*sched_outside)(uint64_t until_ns);
FAKE void (*kcall_look)(void);

FAKE bool console_is_tty(int stream)
{
	(void)stream;
	return fake_terminal;
}

FAKE void console_tty_size(uint16_t *rows, uint16_t *columns)
{
	*rows = 24;
	*columns = 80;
}

FAKE void entropy_draw(struct entropy_process *process, enum entropy_consumer consumer, void *to, size_t bytes)
{
	static uint8_t next;
	(void)process, (void)consumer;
	for (size_t i = 0; i < bytes; i++)
		((uint8_t *)to)[i] = next++;
}

static struct thread first_thread = {.number = 1, .tid = 1};
FAKE int (*signal_timer_taken)(int timer);
__attribute__((weak)) struct thread *thread_current = &first_thread;

FAKE struct thread *thread_find(uint32_t tid)
{
	return tid == 1 ? thread_current : NULL;
}

FAKE void signal_set_blocked(uint64_t blocked)
{
	thread_current->signals.blocked = blocked;
}

FAKE void signal_send(int sig, int code)
{
	(void)code;
	fake_signal = sig;
}

FAKE int signal_queue(struct thread *thread, int sig, const struct signal_origin *origin)
{
	(void)thread, (void)origin;
	fake_signal = sig;
	return 1;
}

FAKE int sched_wait_until(uint64_t deadline_ns, enum sched_cause cause, const char *what)
{
	(void)cause;
	if (deadline_ns == SCHED_FOREVER) {
		fake_deadlock = what;
		return -EINTR;
	}
	vclock_jump(deadline_ns);
	return 0;
}

FAKE int sched_wait(struct thread_queue *queue, uint64_t deadline_ns, const struct wait_reason *reason)
{
	(void)queue;
	int result = sched_wait_until(deadline_ns, reason->cause, reason->what);
	return result ? result : -ETIMEDOUT;
}

FAKE void sched_wake(struct thread *thread, int result)
{
	(void)thread, (void)result;
}

FAKE bool sched_wake_is_in_time(struct thread *thread)
{
	(void)thread;
	return true;
}

FAKE const void *sched_choose(const struct sched_choice *choice)
{
	return choice->next(choice, NULL);
}

FAKE _Noreturn void end_with_report(enum end_reason reason, int sig, const char *what)
{
	(void)reason, (void)sig;
	fprintf(stderr, "%s\n", what);
	abort();
}

FAKE _Noreturn void bug(const char *file, int line, const char *assertion)
{
	fprintf(stderr, "%s:%d: assertion failed: %s\n", file, line, assertion);
	abort();
}

FAKE size_t format_va(char *buf, size_t size, const char *fmt, va_list args)
{
	int length = vsnprintf(buf, size, fmt, args);
	return (size_t)length < size ? (size_t)length : size - 1;
}

FAKE size_t format(char *buf, size_t size, const char *fmt, ...)
{
	va_list args;
	va_start(args, fmt);
	size_t length = format_va(buf, size, fmt, args);
	va_end(args);
	return length;
}
