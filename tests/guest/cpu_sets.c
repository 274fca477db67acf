/* SPDX-License-Identifier: MIT */
/* Sets of processors: CPU_SET(3), and those that attributes keep. */
#include <pthread.h>
#include <sched.h>

#include "say.h"

static void fixed(void)
{
	cpu_set_t one, other, result;
	CPU_ZERO(&one);
	CPU_ZERO(&other);
	for (int cpu = 0; cpu < 1000; cpu += 100)
		CPU_SET(cpu, &one);
	for (int cpu = 0; cpu < 1000; cpu += 150)
		CPU_SET(cpu, &other);
	CPU_SET(2000, &one);
	SAY_TRUE(!CPU_ISSET(2000, &one));
	CPU_CLR(2000, &one);
	printf("%d %d\n", CPU_COUNT(&one), CPU_COUNT(&other));
	CPU_AND(&result, &one, &other);
	printf("and: %d\n", CPU_COUNT(&result));
	CPU_OR(&result, &one, &other);
	printf("or: %d\n", CPU_COUNT(&result));
	CPU_XOR(&result, &one, &other);
	printf("xor: %d\n", CPU_COUNT(&result));
	SAY_TRUE(!CPU_ISSET(600, &result) && CPU_ISSET(150, &result) && CPU_ISSET(100, &result));
	SAY_TRUE(!CPU_EQUAL(&one, &other));
	CPU_XOR(&result, &result, &other);
	SAY_TRUE(CPU_EQUAL(&one, &result));
	CPU_CLR(900, &result);
	SAY_TRUE(!CPU_EQUAL(&one, &result));
}

static void allocated(void)
{
	static const int counts[] = {1, 64, 65, 5000};
	for (unsigned i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		size_t bytes = CPU_ALLOC_SIZE(counts[i]);
		cpu_set_t *one = CPU_ALLOC(counts[i]), *other = CPU_ALLOC(counts[i]);
		CPU_ZERO_S(bytes, one);
		CPU_ZERO_S(bytes, other);
		for (int cpu = 0; cpu < counts[i]; cpu += 7)
			CPU_SET_S(cpu, bytes, one);
		CPU_SET_S(0, bytes, other);
		CPU_SET_S(10000, bytes, other);
		printf("%zu bytes: %d %d", bytes, CPU_COUNT_S(bytes, one), CPU_COUNT_S(bytes, other));
		CPU_AND_S(bytes, other, other, one);
		printf(" %d %d %d\n", CPU_ISSET_S(0, bytes, other), CPU_ISSET_S(10000, bytes, other),
		       CPU_EQUAL_S(bytes, one, other));
		CPU_FREE(one);
		CPU_FREE(other);
	}
}

static void kept(void)
{
	pthread_attr_t attributes;
	cpu_set_t set, got;
	CPU_ZERO(&set);
	CPU_SET(3, &set);
	CPU_SET(900, &set);
	pthread_attr_init(&attributes);
	SAY_ERROR(pthread_attr_setaffinity_np(&attributes, sizeof(set), &set));
	SAY_ERROR(pthread_attr_getaffinity_np(&attributes, sizeof(got), &got));
	SAY_TRUE(CPU_EQUAL(&set, &got));
	SAY_ERROR(pthread_attr_getaffinity_np(&attributes, 64, &got));
	CPU_CLR(900, &set);
	SAY_ERROR(pthread_attr_setaffinity_np(&attributes, sizeof(set), &set));
	SAY_ERROR(pthread_attr_getaffinity_np(&attributes, 64, &got));
	SAY_TRUE(CPU_COUNT_S(64, &got) == 1);
}

int main(void)
{
	unsigned cpu = 12345, node = 12345;
	fixed();
	allocated();
	kept();
	SAY(getcpu(&cpu, &node));
	SAY_TRUE(cpu < 1024 && node < 1024);
	SAY(getcpu(NULL, NULL));
	return 0;
}
