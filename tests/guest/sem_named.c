/* SPDX-License-Identifier: MIT */
/* Named semaphores: names, modes of opening, and what goes when. */
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

#include "sync.h"

static const char *unique(const char *base)
{
	static char name[200];
	snprintf(name, sizeof(name), "%s.eremite.%ld", base, (long)getpid());
	return name;
}

static void show_name(const char *what, const char *name)
{
	errno = 0;
	sem_t *sem = sem_open(name, O_CREAT, 0600, 1);
	printf("%s: open %s", what, errno_name(sem ? 0 : errno));
	errno = 0;
	int result = sem_unlink(name);
	printf(", unlink %s\n", errno_name(result ? errno : 0));
	if (sem)
		MUST(sem_close(sem) == 0);
}

static void check_names(void)
{
	char name[400];
	show_name("empty", "");
	show_name("slash", "/");
	show_name("slashes", "//");
	show_name("plain", unique("/plain"));
	show_name("no slash", unique("plain"));
	show_name("two slashes", unique("//plain"));
	show_name("slash within", "/a/b");
	show_name("slash at the end", "/a/");
	memset(name, 'x', sizeof(name));
	name[0] = '/';
	name[252] = 0;
	show_name("251 characters", name);
	name[252] = 'x';
	name[253] = 0;
	show_name("252 characters", name);
}

static void check_opening(void)
{
	const char *name = unique("/opening");
	int value;
	SAY_TRUE(sem_open(name, 0) == SEM_FAILED && errno == ENOENT);
	SAY_TRUE(sem_open(name, O_CREAT, 0600, (unsigned)SEM_VALUE_MAX + 1) == SEM_FAILED && errno == EINVAL);
	sem_t *first = sem_open(name, O_CREAT | O_EXCL, 0600, 3);
	SAY_TRUE(first != SEM_FAILED);
	SAY_TRUE(sem_open(name, O_CREAT | O_EXCL, 0600, 3) == SEM_FAILED && errno == EEXIST);
	sem_t *again = sem_open(name, O_CREAT, 0600, 77);
	SAY_TRUE(again == first);
	SAY_TRUE(sem_open(name, 0) == first);
	SAY(sem_getvalue(first, &value));
	printf("value %d\n", value);
	SAY(sem_close(first));
	SAY(sem_close(first));
	SAY(sem_wait(again));
	SAY(sem_unlink(name));
	SAY(sem_unlink(name));
	sem_t *other = sem_open(name, O_CREAT, 0600, 0);
	SAY_TRUE(other != SEM_FAILED && other != again);
	SAY(sem_getvalue(again, &value)); /* is there as long as it is open */
	printf("value %d\n", value);
	SAY(sem_close(again));
	SAY(sem_close(other));
	other = sem_open(name, 0); /* closed, but not unlinked */
	SAY_TRUE(other != SEM_FAILED);
	SAY(sem_unlink(name));
	SAY(sem_close(other));
	SAY_TRUE(sem_open(name, 0) == SEM_FAILED && errno == ENOENT);
}

static void *post(void *name)
{
	sem_t *sem = sem_open(name, 0);
	MUST(sem != SEM_FAILED);
	MUST(sem_post(sem) == 0);
	MUST(sem_close(sem) == 0);
	return NULL;
}

static void *open_first(void *name)
{
	sem_t *sem = sem_open(name, O_CREAT | O_EXCL, 0600, 1);
	if (sem == SEM_FAILED)
		MUST(errno == EEXIST);
	return sem;
}

static void check_threads(void)
{
	pthread_t threads[6];
	char name[200];
	void *result;
	int made = 0;
	strcpy(name, unique("/threads"));
	sem_t *sem = sem_open(name, O_CREAT, 0600, 0);
	in_thread(post, name);
	SAY(sem_trywait(sem));
	SAY(sem_close(sem));
	SAY(sem_unlink(name));
	for (int i = 0; i < 6; i++)
		start(&threads[i], open_first, name);
	for (int i = 0; i < 6; i++) {
		pthread_join(threads[i], &result);
		made += result != SEM_FAILED;
	}
	printf("%d made it\n", made);
	SAY(sem_unlink(name));
}

int main(void)
{
	sem_t unnamed;
	check_names();
	check_opening();
	check_threads();
	sem_init(&unnamed, 0, 0);
	SAY(sem_close(&unnamed));
	return 0;
}
