/* SPDX-License-Identifier: MIT */
/* The C library under threads: errno and what else each thread has of its own, streams, the environment, time. */
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "say.h"

#define THREADS 10
#define LINES 200

static FILE *shared;

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Runs a function in THREADS threads at once; how many return something but NULL. */
static int in_threads(void *(*entry)(void *))
{
	pthread_t threads[THREADS];
	void *result;
	int good = 0;
	for (intptr_t i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, entry, (void *)i);
	for (int i = 0; i < THREADS; i++) {
		pthread_join(threads[i], &result);
		good += result != NULL;
	}
	return good;
}

static void *own_errno(void *number)
{
	int good = errno == 0;
	errno = (int)(intptr_t)number + 1;
	for (int i = 0; i < 20; i++) {
		sched_yield();
		good &= errno == (int)(intptr_t)number + 1;
	}
	close(-1);
	good &= errno == EBADF;
	return (void *)(intptr_t)good;
}

static void *own_strtok(void *number)
{
	char text[] = "a,b,c,d,e,f,g,h", wanted[2] = "a";
	char *rest, again[] = "a b c d e f g h";
	int good = 1;
	(void)number;
	char *token = strtok_r(text, ",", &rest);
	for (int i = 0; i < 8; i++) {
		good &= token && strcmp(token, wanted) == 0;
		wanted[0]++;
		sched_yield();
		token = strtok_r(NULL, ",", &rest);
	}
	wanted[0] = 'a';
	(void)again;
	return (void *)(intptr_t)(good && !token);
}

static void *format_numbers(void *number)
{
	char text[100], wanted[100];
	int good = 1, n = (int)(intptr_t)number;
	for (int i = 0; i < 200; i++) {
		double value = n * 1000 + i + 0.125;
		snprintf(wanted, sizeof(wanted), "%d.125", n * 1000 + i);
		snprintf(text, sizeof(text), "%.3f", value);
		good &= strcmp(text, wanted) == 0 && strtod(text, NULL) == value;
		snprintf(text, sizeof(text), "%.20Lg", 1.1L * n);
		good &= strtold(text, NULL) == 1.1L * n;
	}
	return (void *)(intptr_t)good;
}

static void *own_messages(void *number)
{
	char wanted[40], buffer[64], *text;
	int n = 1000 + (int)(intptr_t)number, good = 1;
	snprintf(wanted, sizeof(wanted), "Unknown error %d", n);
	for (int i = 0; i < 50; i++) {
		text = strerror_r(n, buffer, sizeof(buffer));
		sched_yield();
		good &= strcmp(text, wanted) == 0;
	}
	return (void *)(intptr_t)good;
}

static void *own_times(void *number)
{
	time_t moment = 86400 * 365 * ((long)(intptr_t)number + 1);
	struct tm tm;
	char text[32];
	int good = 1;
	for (int i = 0; i < 100; i++) {
		localtime_r(&moment, &tm);
		good &= tm.tm_year >= 70 && mktime(&tm) == moment;
		good &= asctime_r(&tm, text) == text && text[24] == '\n';
	}
	return (void *)(intptr_t)good;
}

static void *use_environment(void *number)
{
	char name[20], value[40];
	int good = 1;
	snprintf(name, sizeof(name), "V%d", (int)(intptr_t)number);
	for (int i = 0; i < 100; i++) {
		snprintf(value, sizeof(value), "%d of %d", i, (int)(intptr_t)number);
#ifdef __linux__ /* POSIX lets getenv race with setenv, and there it does (getenv(3)) */
		static pthread_mutex_t environment = PTHREAD_MUTEX_INITIALIZER;
		pthread_mutex_lock(&environment);
#endif
		setenv(name, value, 1);
		sched_yield();
		good &= getenv(name) && strcmp(getenv(name), value) == 0;
		if (i % 10 == 9)
			unsetenv(name);
#ifdef __linux__
		pthread_mutex_unlock(&environment);
#endif
	}
	return (void *)(intptr_t)good;
}

static void *write_lines(void *number)
{
	for (int i = 0; i < LINES; i++) {
		if (i % 2)
			fprintf(shared, "%02d %03d %s\n", (int)(intptr_t)number, i, "abcdefghijklmnopqrstuvwxyz");
		else {
			flockfile(shared);
			fprintf(shared, "%02d ", (int)(intptr_t)number);
			sched_yield();
			fprintf(shared, "%03d ", i);
			fputs_unlocked("abcdefghijklmnopqrstuvwxyz\n", shared);
			funlockfile(shared);
		}
	}
	return number ? number : shared;
}

/* Lines of many threads are whole; sorted, they are what each has written. */
static void lines(void)
{
	char *all[THREADS * LINES], wanted[60], line[200];
	int count = 0, good = 0;
	shared = tmpfile();
	in_threads(write_lines);
	rewind(shared);
	while (count < THREADS * LINES && fgets(line, sizeof(line), shared))
		all[count++] = strdup(line);
	qsort(all, (size_t)count, sizeof(all[0]), by_text);
	for (int i = 0; i < count; i++) {
		snprintf(wanted, sizeof(wanted), "%02d %03d %s\n", i / LINES, i % LINES, "abcdefghijklmnopqrstuvwxyz");
		good += strcmp(all[i], wanted) == 0;
		free(all[i]);
	}
	printf("lines %d, whole %d\n", count, good);
	fclose(shared);
}

static void *try_lock(void *unused)
{
	(void)unused;
	if (ftrylockfile(stdout))
		return stdout;
	funlockfile(stdout);
	return NULL;
}

static void *use_files(void *number)
{
	int good = 1;
	char text[20], back[20];
	for (int i = 0; i < 20; i++) {
		FILE *file = tmpfile();
		snprintf(text, sizeof(text), "%d.%d\n", (int)(intptr_t)number, i);
		good &= file && fputs(text, file) >= 0;
		rewind(file);
		good &= fgets(back, sizeof(back), file) && strcmp(back, text) == 0;
		fclose(file);
	}
	return (void *)(intptr_t)good;
}

static int numbers[THREADS * 100], drawn;

static void *draw(void *number)
{
	for (int i = 0; i < 100; i++) {
		int n = rand();
		numbers[__atomic_fetch_add(&drawn, 1, __ATOMIC_RELAXED)] = n;
	}
	return number;
}

static int by_number(const void *a, const void *b)
{
	return *(const int *)a < *(const int *)b ? -1 : *(const int *)a > *(const int *)b;
}

/* All threads draw from one sequence. */
static void one_sequence(void)
{
	int alone[THREADS * 100];
	srand(5);
	for (int i = 0; i < THREADS * 100; i++)
		alone[i] = rand();
	srand(5);
	in_threads(draw);
	qsort(alone, THREADS * 100, sizeof(int), by_number);
	qsort(numbers, THREADS * 100, sizeof(int), by_number);
	SAY_TRUE(memcmp(alone, numbers, sizeof(alone)) == 0);
}

int main(void)
{
	pthread_t thread;
	void *result;
	errno = 0;
	printf("errno: %d\n", in_threads(own_errno));
	printf("strtok_r: %d\n", in_threads(own_strtok));
	printf("formats: %d\n", in_threads(format_numbers));
	printf("messages: %d\n", in_threads(own_messages));
	printf("times: %d\n", in_threads(own_times));
	setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0", 1);
	tzset();
	printf("times elsewhere: %d\n", in_threads(own_times));
	printf("environment: %d\n", in_threads(use_environment));
	printf("files: %d\n", in_threads(use_files));
	lines();
	one_sequence();
	flockfile(stdout);
	flockfile(stdout);
	pthread_create(&thread, NULL, try_lock, NULL);
	pthread_join(thread, &result);
	funlockfile(stdout);
	funlockfile(stdout);
	SAY_TRUE(result != NULL);
	pthread_create(&thread, NULL, try_lock, NULL);
	pthread_join(thread, &result);
	SAY_TRUE(result == NULL);
	return 0;
}
