/* SPDX-License-Identifier: MIT
 * eremite-options: --memory 32M
 * arguments when repeated: threads
 */
/* Memory runs out as ENOMEM and NULL, never as a fault, and all of it comes back. */
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "say.h"

#define PAGE 4096UL
#define RW (PROT_READ | PROT_WRITE)
#define ANON (MAP_PRIVATE | MAP_ANONYMOUS)

struct link {
	struct link *next;
};

/* Takes mappings of one size until there are no more, touches and frees them; returns how many bytes that were. */
static size_t take_all(size_t bytes)
{
	struct link *list = NULL, *next;
	size_t taken = 0;
	while ((next = mmap(NULL, bytes, RW, ANON, -1, 0)) != MAP_FAILED) {
		memset(next, 1, bytes);
		next->next = list;
		list = next;
		taken += bytes;
	}
	if (errno != ENOMEM)
		printf("errno is %s\n", errno_name(errno));
	for (; list; list = next) {
		next = list->next;
		munmap(list, bytes);
	}
	return taken;
}

static size_t malloc_all(size_t bytes)
{
	struct link *list = NULL, *next;
	size_t taken = 0;
	while ((next = malloc(bytes))) {
		memset(next, 2, bytes);
		next->next = list;
		list = next;
		taken += bytes;
	}
	if (errno != ENOMEM)
		printf("errno is %s\n", errno_name(errno));
	for (; list; list = next) {
		next = list->next;
		free(list);
	}
	return taken;
}

static void *nothing(void *unused)
{
	return unused;
}

static void compare(const char *what, size_t first, size_t second)
{
	printf("%s: %s, the second time %s\n", what,
	       first > 20UL << 20 && first < 32UL << 20 ? "most of 32 MiB" : "WRONG",
	       first == second ? "the same" : "DIFFERENT");
	if (first != second)
		printf("%zu %zu\n", first, second);
}

/* Rights for more than there is are refused, and what they had been given by then comes back. */
static void protect_too_much(size_t bytes)
{
	char *area = mmap(NULL, bytes, PROT_NONE, ANON, -1, 0);
	SAY_TRUE(area != MAP_FAILED);
	SAY_OK(mprotect(area, PAGE, RW));
	area[0] = 4;
	SAY_OK(mprotect(area, PAGE, PROT_NONE));
	for (int i = 0; i < 3; i++)
		SAY_OK(mprotect(area, bytes, RW));
	size_t first = take_all(PAGE);
	SAY_OK(mprotect(area, PAGE, RW));
	SAY_TRUE(area[0] == 4);
	SAY_OK(munmap(area, bytes));
	compare("mmap after mprotect", first, take_all(PAGE) - PAGE);
}

/* So do a stack's. */
static void stack_too_large(void)
{
	pthread_attr_t attributes;
	pthread_t thread;
	pthread_attr_init(&attributes);
	for (int i = 0; i < 3; i++) {
		pthread_attr_setstacksize(&attributes, 64UL << 20);
		SAY_TRUE(pthread_create(&thread, &attributes, nothing, NULL) == EAGAIN);
		pthread_attr_setstacksize(&attributes, PTHREAD_STACK_MIN);
		SAY_TRUE(pthread_create(&thread, &attributes, nothing, NULL) == 0);
		SAY_TRUE(pthread_join(thread, NULL) == 0);
	}
}

/* With an argument only what has threads. */
int main(int argc, char **argv)
{
	(void)argv;
	if (argc > 1) {
		stack_too_large();
		return 0;
	}
	size_t first = take_all(0x10000);
	compare("mmap of small pieces", first, take_all(0x10000));
	first = take_all(PAGE);
	size_t most = take_all(PAGE);
	compare("mmap of pages", first, most);
	first = take_all(3 << 20);
	compare("mmap of 3 MiB", first, take_all(3 << 20));
	SAY_OK(mmap(NULL, 32UL << 20, RW, ANON, -1, 0));
	SAY_OK(mmap(NULL, 1UL << 40, RW, ANON, -1, 0));
	first = malloc_all(100000);
	compare("malloc of 100000 bytes", first, malloc_all(100000));
	SAY_TRUE(malloc(1UL << 30) == NULL && errno == ENOMEM);
	volatile size_t huge = 1UL << 33;
	SAY_TRUE(calloc(huge, huge) == NULL);
	SAY_OK(sbrk(100L << 20));
	char *kept = malloc(1000);
	memset(kept, 3, 1000);
	char *bigger = realloc(kept, 1UL << 30);
	SAY_TRUE(bigger == NULL);
	if (!bigger)
		SAY_TRUE(kept[0] == 3 && kept[999] == 3);
	protect_too_much(64UL << 20);
	protect_too_much(most + (1UL << 20)); /* less than there is in all, more than is free */
	stack_too_large();
	return 0;
}
