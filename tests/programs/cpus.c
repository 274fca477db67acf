/* SPDX-License-Identifier: MIT */
/* Every way to learn how many processors there are and which one this is, each on a line; with `quiet` threads that
 * do not ask, but take turns. */
#include <cpuid.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysinfo.h>
#include <sys/wait.h>
#include <unistd.h>

static int lines(const char *path, const char *beginning)
{
	char line[4096];
	int found = 0;
	FILE *from = fopen(path, "r");
	while (from && fgets(line, sizeof(line), from))
		found += !strncmp(line, beginning, strlen(beginning));
	if (from)
		fclose(from);
	return found;
}

/* The first line with that beginning, "" for any. */
static void show(const char *path, const char *beginning)
{
	char line[4096];
	FILE *from = fopen(path, "r");
	while (from && fgets(line, sizeof(line), from))
		if (!strncmp(line, beginning, strlen(beginning))) {
			printf("%s %s", strrchr(path, '/') + 1, line);
			break;
		}
	if (from)
		fclose(from);
	else
		printf("no %s\n", path);
}

static void cpuid(void)
{
	unsigned a, b, c, d;
	__cpuid(1, a, b, c, d);
	printf("leaf 1: htt %u, count %u, this %u\n", d >> 28 & 1, b >> 16 & 255, b >> 24);
	for (unsigned i = 0; i < 4; i++) {
		__cpuid_count(4, i, a, b, c, d);
		printf("leaf 4.%u: cores %u, sharing %u\n", i, (a >> 26) + 1, (a >> 14 & 0xfff) + 1);
	}
	for (unsigned i = 0; i < 3; i++) {
		__cpuid_count(0xb, i, a, b, c, d);
		printf("leaf 0xb.%u: %x %u %x %u\n", i, a, b, c, d);
	}
}

static void affinity(const char *who)
{
	cpu_set_t set;
	CPU_ZERO(&set);
	int error = sched_getaffinity(0, sizeof(set), &set);
	printf("%s: affinity %d %d, runs on %d\n", who, error, CPU_COUNT(&set), sched_getcpu());
}

static void *thread(void *nothing)
{
	affinity("thread");
	return nothing;
}

static void pinned(int last)
{
	pthread_t made;
	cpu_set_t set;
	CPU_ZERO(&set);
	CPU_SET(last + 1, &set);
	printf("one that is not there: %d\n", sched_setaffinity(0, sizeof(set), &set));
	CPU_SET(last, &set);
	printf("the last: %d\n", sched_setaffinity(0, sizeof(set), &set));
	affinity("pinned");
	cpuid();
	show("/proc/self/status", "Cpus_allowed:");
	show("/proc/self/status", "Cpus_allowed_list:");
	pthread_create(&made, NULL, thread, NULL);
	pthread_join(made, NULL);
	fflush(stdout);
	if (!fork()) {
		affinity("child");
		fflush(stdout);
		_exit(0);
	}
	wait(NULL);
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *turn(void *name)
{
	for (int i = 0; i < 20; i++) {
		pthread_mutex_lock(&mutex);
		if (write(1, name, 1) != 1)
			abort();
		pthread_mutex_unlock(&mutex);
		sched_yield();
	}
	return NULL;
}

static void quiet(void)
{
	pthread_t threads[3];
	for (int i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, turn, (char *)"abc" + i);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
}

int main(int argc, char **argv)
{
	(void)argv;
	if (argc > 1) {
		quiet();
		return 0;
	}
	long online = sysconf(_SC_NPROCESSORS_ONLN);
	printf("sysconf %ld %ld\n", online, sysconf(_SC_NPROCESSORS_CONF));
	printf("get_nprocs %d %d\n", get_nprocs(), get_nprocs_conf());
	printf("cpuinfo %d, stat %d\n", lines("/proc/cpuinfo", "processor"), lines("/proc/stat", "cpu") - 1);
	show("/proc/cpuinfo", "siblings");
	show("/proc/cpuinfo", "cpu cores");
	show("/sys/devices/system/cpu/online", "");
	show("/sys/devices/system/cpu/possible", "");
	show("/sys/devices/system/cpu/present", "");
	show("/sys/devices/system/cpu/cpu0/topology/core_siblings", "");
	show("/sys/devices/system/cpu/cpu0/topology/core_siblings_list", "");
	show("/sys/devices/system/cpu/cpu0/topology/thread_siblings", "");
	show("/proc/self/status", "Cpus_allowed:");
	show("/proc/self/status", "Cpus_allowed_list:");
	affinity("all");
	pinned((int)online - 1);
	return 0;
}
