/* SPDX-License-Identifier: MIT */
/* Scheduling parameters, processors and clocks, of the process and of threads: kept and told. */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "say.h"

static int gate[2];

static void *wait_at_gate(void *tid)
{
	char byte;
	*(pid_t *)tid = (pid_t)syscall(SYS_gettid);
	return (void *)(intptr_t)read(gate[0], &byte, 1);
}

static void of_the_process(void)
{
	struct sched_param param = {.sched_priority = 0};
	struct timespec interval;
	puts("the process");
	SAY(sched_getscheduler(0));
	SAY(sched_getscheduler(getpid()));
	SAY(sched_getscheduler(-1));
	SAY(sched_getscheduler(4000000));
	SAY(sched_setparam(0, &param));
	SAY(sched_getparam(0, &param));
	SAY_TRUE(param.sched_priority == 0);
	param.sched_priority = 5;
	SAY(sched_setparam(0, &param));
	SAY(sched_setscheduler(0, SCHED_OTHER, &param));
	SAY(sched_setscheduler(0, 77, &param));
	param.sched_priority = 0;
	SAY(sched_setscheduler(0, SCHED_BATCH, &param));
	SAY(sched_getscheduler(0));
	SAY(sched_setscheduler(0, SCHED_OTHER, &param));
	SAY(sched_get_priority_max(SCHED_FIFO));
	SAY(sched_get_priority_min(SCHED_FIFO));
	SAY(sched_get_priority_max(SCHED_RR));
	SAY(sched_get_priority_min(SCHED_OTHER));
	SAY(sched_get_priority_max(77));
	SAY(sched_rr_get_interval(0, &interval));
	SAY(sched_rr_get_interval(-1, &interval));
	SAY(sched_yield());
}

static void processors(void)
{
	cpu_set_t set;
	unsigned cpu = 99;
	puts("processors");
	CPU_ZERO(&set);
	CPU_SET(0, &set);
	SAY(sched_setaffinity(0, sizeof(set), &set));
	CPU_ZERO(&set);
	SAY(sched_getaffinity(0, sizeof(set), &set));
	SAY_TRUE(CPU_COUNT(&set) == 1 && CPU_ISSET(0, &set));
	SAY(sched_getaffinity(0, 3, &set));
	SAY(sched_getaffinity(-1, sizeof(set), &set));
	SAY(sched_setaffinity(-1, sizeof(set), &set));
	SAY(sched_getcpu());
	SAY(syscall(SYS_getcpu, &cpu, NULL, NULL));
	SAY_TRUE(cpu == 0);
	CPU_ZERO(&set);
	SAY(sched_setaffinity(0, sizeof(set), &set));
	SAY_ERROR(pthread_getaffinity_np(pthread_self(), sizeof(set), &set));
	SAY_TRUE(CPU_COUNT(&set) == 1);
	SAY_ERROR(pthread_setaffinity_np(pthread_self(), sizeof(set), &set));
	CPU_ZERO(&set);
	SAY_ERROR(pthread_setaffinity_np(pthread_self(), sizeof(set), &set));
}

static void of_threads(void)
{
	pthread_t thread;
	struct sched_param param = {.sched_priority = 0};
	struct timespec used;
	clockid_t clock;
	pid_t tid = 0;
	int policy;
	puts("threads");
	pthread_create(&thread, NULL, wait_at_gate, &tid);
	while (!*(volatile pid_t *)&tid)
		sched_yield();
	SAY_ERROR(pthread_getschedparam(thread, &policy, &param));
	SAY_TRUE(policy == SCHED_OTHER && param.sched_priority == 0);
	SAY_ERROR(pthread_setschedparam(thread, SCHED_BATCH, &param));
	SAY_ERROR(pthread_getschedparam(thread, &policy, &param));
	SAY_TRUE(policy == SCHED_BATCH);
	SAY(sched_getscheduler(tid));
	SAY(sched_getscheduler(0));
	SAY_ERROR(pthread_setschedprio(thread, 0));
	SAY_ERROR(pthread_setschedprio(thread, 3));
	SAY_ERROR(pthread_setschedparam(thread, 77, &param));
	SAY_ERROR(pthread_getcpuclockid(thread, &clock));
	SAY(clock_gettime(clock, &used));
	SAY_ERROR(pthread_getcpuclockid(pthread_self(), &clock));
	SAY(clock_gettime(clock, &used));
	SAY_TRUE(write(gate[1], "x", 1) == 1);
	SAY_ERROR(pthread_join(thread, NULL));
	SAY(pthread_getconcurrency());
	SAY_ERROR(pthread_setconcurrency(4));
	SAY(pthread_getconcurrency());
	SAY_ERROR(pthread_setconcurrency(-1));
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
	SAY_ERROR(pthread_yield());
}

int main(void)
{
	if (pipe(gate) < 0)
		return 1;
	of_the_process();
	processors();
	of_threads();
	SAY_TRUE(gettid() == getpid());
	return 0;
}
