/* SPDX-License-Identifier: MIT */
/* rseq(2): the area of the C library and one of our own, what is refused, and sequences that handlers interrupt. */
#include <errno.h>
#include <linux/rseq.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/rseq.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define BYTES 32
#define SIGNATURE 0x12345678

static struct rseq *own; /* where the thread's is */

static void say(const char *what, struct rseq *area, uint32_t bytes, int flags, uint32_t signature)
{
	errno = 0;
	long result = syscall(SYS_rseq, area, bytes, flags, signature);
	printf("%s: %ld %s\n", what, result, errno ? strerrorname_np(errno) : "");
}

static void refusals(void)
{
	static char room[2 * BYTES + 8] __attribute__((aligned(BYTES)));
	struct rseq *other = (struct rseq *)room, *odd = (struct rseq *)(room + 8);
	say("again", own, BYTES, 0, RSEQ_SIG);
	say("another signature", own, BYTES, 0, SIGNATURE);
	say("another area", other, BYTES, 0, RSEQ_SIG);
	say("unknown flags", own, BYTES, 2, RSEQ_SIG);
	say("unregister another", other, BYTES, RSEQ_FLAG_UNREGISTER, RSEQ_SIG);
	say("unregister, another signature", own, BYTES, RSEQ_FLAG_UNREGISTER, SIGNATURE);
	say("unregister", own, BYTES, RSEQ_FLAG_UNREGISTER, RSEQ_SIG);
	printf("no processor: %d\n", own->cpu_id == (uint32_t)RSEQ_CPU_ID_UNINITIALIZED);
	say("unregister again", own, BYTES, RSEQ_FLAG_UNREGISTER, RSEQ_SIG);
	say("odd", odd, BYTES, 0, SIGNATURE);
	say("too small", other, 16, 0, SIGNATURE);
	say("nowhere", (struct rseq *)32, BYTES, 0, SIGNATURE);
	say("register", other, BYTES, 0, SIGNATURE);
	printf("processor known: %d\n", other->cpu_id == other->cpu_id_start && other->cpu_id != (uint32_t)-1);
	own = other;
}

/* Stores 1, and then 2 unless it is interrupted by its own fault or signal, which leads to where 3 is stored. */
static int sequence(int faults)
{
	static volatile uint64_t bad;
	int result = 0;
	struct rseq_cs *section;
	__asm__ volatile(".pushsection .data.rseq, \"aw\"\n\t"
	                 ".balign 32\n\t"
	                 "5: .long 0, 0\n\t"
	                 ".quad 1f, 2f - 1f, 4f\n\t"
	                 ".popsection\n\t"
	                 "lea 5b(%%rip), %0"
	                 "\n\tmov %0, 8(%2)\n\t"
	                 "1: movl $1, %1\n\t"
	                 "test %3, %3\n\t"
	                 "jz 6f\n\t"
	                 "ud2\n\t"
	                 "6: movl $2, %1\n\t"
	                 "2: jmp 7f\n\t"
	                 ".byte 0x0f, 0xb9, 0x3d\n\t"
	                 ".long 0x12345678\n\t"
	                 "4: addl $10, %1\n\t"
	                 "7:"
	                 : "=&r"(section), "+m"(result)
	                 : "r"(own), "r"(faults)
	                 : "memory", "cc");
	bad = own->rseq_cs;
	printf("stored %d, section %s\n", result, bad ? "left" : "cleared");
	own->rseq_cs = 0;
	return result;
}

static void handle(int sig, siginfo_t *info, void *context)
{
	(void)info;
	(void)context;
	printf("signal %d\n", sig);
}

static void *in_thread(void *unused)
{
	struct rseq *area = (struct rseq *)((char *)__builtin_thread_pointer() + __rseq_offset);
	(void)unused;
	printf("thread: registered %d, right %d\n", area->cpu_id != (uint32_t)-1, (int)area->cpu_id == sched_getcpu());
	return NULL;
}

int main(void)
{
	const struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO};
	pthread_t thread;
	int status;
	setvbuf(stdout, NULL, _IONBF, 0);
	printf("offset known: %d, size %u, flags %u\n", __rseq_offset != 0, __rseq_size, __rseq_flags);
	own = (struct rseq *)((char *)__builtin_thread_pointer() + __rseq_offset);
	printf("registered: %d\n", own->cpu_id != (uint32_t)-1);
	pthread_create(&thread, NULL, in_thread, NULL);
	pthread_join(thread, NULL);
	refusals();
	sigaction(SIGILL, &action, NULL);
	sequence(0);
	sequence(1);
	if (!fork()) { /* it is inherited */
		sequence(1);
		own->rseq_cs = 8; /* none: dies of it */
		raise(SIGILL);
		_exit(0);
	}
	wait(&status);
	printf("child: %s %d\n", WIFSIGNALED(status) ? "signal" : "status", WTERMSIG(status));
	return 0;
}
