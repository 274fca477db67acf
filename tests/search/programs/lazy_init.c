/* SPDX-License-Identifier: MIT */
/* Bug: lazy initialisation. Two threads see that there is no table, and both make one. The second table replaces the
 * first one, and the entry in the first one is lost. Bites: "1 of 2 entries", status 1. Fixed by pthread_once. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef FIXED
#define FIXED 0
#endif

#define USERS 2

struct table {
	_Atomic int entries;
};

static struct table *volatile table;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void make(void)
{
	table = calloc(1, sizeof(struct table));
}

static struct table *get(void)
{
	if (FIXED)
		pthread_once(&once, make);
	else if (!table)
		make();
	return table;
}

static void *use(void *unused)
{
	get()->entries++;
	return unused;
}

int main(void)
{
	pthread_t threads[USERS];
	for (int i = 0; i < USERS; i++)
		pthread_create(&threads[i], NULL, use, NULL);
	for (int i = 0; i < USERS; i++)
		pthread_join(threads[i], NULL);
	if (table->entries == USERS)
		return 0;
	printf("%d of %d entries\n", table->entries, USERS);
	return 1;
}
