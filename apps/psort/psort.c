/* SPDX-License-Identifier: MIT */
/* Sorts records by key, in threads: a bucket sort.
 *
 *     psort [--threads N] [--records N] [--seed N] [--print]
 *
 * In the first phase each thread takes the next run of records and puts each into the bucket of its key; in the second,
 * after a barrier, each takes the next bucket and sorts it by merging, which leaves equal keys in the order in which
 * they came. Keys always come out in order, but equal ones in the order in which threads put them into their bucket: it
 * depends on the schedule. */
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BUCKETS 16
#define RUN_RECORDS 64
#define KEYS_PER_BUCKET 8
#define THREADS_MOST 1000

struct record {
	uint32_t key;
	uint32_t number; /* which one it was at first */
};

struct bucket {
	pthread_mutex_t lock; /* protects the rest, in the first phase */
	struct record *records;
	size_t count;
};

static struct job {
	struct record *records;
	size_t count;
	struct bucket buckets[BUCKETS];
	pthread_barrier_t phase;
	pthread_mutex_t lock; /* protects the rest */
	size_t next_record;
	size_t next_bucket;
} job = {.lock = PTHREAD_MUTEX_INITIALIZER};

static _Noreturn void fail(const char *what, int error)
{
	fprintf(stderr, "psort: %s: %s\n", what, strerror(error));
	exit(1);
}

static void *allocate(size_t count, size_t bytes)
{
	void *memory = calloc(count, bytes);
	if (!memory)
		fail("records", ENOMEM);
	return memory;
}

/* Takes the next `step` of `most`; the first of them, or most when there are no more. */
static size_t take(size_t *next, size_t step, size_t most)
{
	pthread_mutex_lock(&job.lock);
	size_t first = *next < most ? *next : most;
	*next = first + step;
	pthread_mutex_unlock(&job.lock);
	return first;
}

static void put(const struct record *record)
{
	struct bucket *bucket = &job.buckets[record->key / KEYS_PER_BUCKET];
	pthread_mutex_lock(&bucket->lock);
	bucket->records[bucket->count++] = *record;
	pthread_mutex_unlock(&bucket->lock);
}

/* Sorts by key; equal keys stay in order. */
static void merge_sort(struct record *records, struct record *spare, size_t count)
{
	size_t half = count / 2, a = 0, b = half;
	if (count < 2)
		return;
	merge_sort(records, spare, half);
	merge_sort(records + half, spare, count - half);
	for (size_t i = 0; i < count; i++) {
		bool first = b == count || (a < half && records[a].key <= records[b].key);
		spare[i] = records[first ? a++ : b++];
	}
	memcpy(records, spare, count * sizeof(*records));
}

static void *work(void *unused)
{
	size_t at;
	while ((at = take(&job.next_record, RUN_RECORDS, job.count)) < job.count) {
		for (size_t i = at; i < at + RUN_RECORDS && i < job.count; i++)
			put(&job.records[i]);
	}
	pthread_barrier_wait(&job.phase);
	while ((at = take(&job.next_bucket, 1, BUCKETS)) < BUCKETS) {
		struct bucket *bucket = &job.buckets[at];
		struct record *spare = allocate(bucket->count + 1, sizeof(*spare));
		merge_sort(bucket->records, spare, bucket->count);
		free(spare);
	}
	return unused;
}

static void run_threads(long count)
{
	pthread_t threads[THREADS_MOST];
	pthread_barrier_init(&job.phase, NULL, (unsigned)count);
	for (long i = 0; i < count; i++) {
		int error = pthread_create(&threads[i], NULL, work, NULL);
		if (error)
			fail("cannot create a thread", error);
	}
	for (long i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
	pthread_barrier_destroy(&job.phase);
}

static void make_records(uint32_t seed)
{
	job.records = allocate(job.count, sizeof(*job.records));
	for (size_t i = 0; i < job.count; i++) {
		seed = seed * 1664525U + 1013904223U;
		job.records[i] = (struct record){(seed >> 16) % (BUCKETS * KEYS_PER_BUCKET), (uint32_t)i};
	}
	for (size_t i = 0; i < BUCKETS; i++) {
		job.buckets[i].records = allocate(job.count, sizeof(struct record));
		pthread_mutex_init(&job.buckets[i].lock, NULL);
	}
}

/* Puts the buckets together, and tells whether keys are in order and what order the records are in. */
static int report(bool print)
{
	size_t at = 0, sum = 0;
	uint64_t order = 0;
	for (size_t i = 0; i < BUCKETS; i++) {
		memcpy(job.records + at, job.buckets[i].records, job.buckets[i].count * sizeof(struct record));
		at += job.buckets[i].count;
	}
	for (size_t i = 0; i < job.count; i++) {
		const struct record *record = &job.records[i];
		if (i > 0 && record[-1].key > record->key) {
			printf("record %zu is out of order\n", i);
			return 1;
		}
		sum += record->number;
		order = (order ^ record->number) * 0x100000001b3U;
		if (print)
			printf("%u %u\n", (unsigned)record->key, (unsigned)record->number);
	}
	printf("%zu records, sum of numbers %zu, order %016llx\n", job.count, sum, (unsigned long long)order);
	return at == job.count ? 0 : 1;
}

/* A number in [least, most], or the end of the program. */
static long number(const char *option, const char *text, long least, long most)
{
	char *end;
	errno = 0;
	long value = strtol(text, &end, 0);
	if (errno || end == text || *end || value < least || value > most) {
		fprintf(stderr, "psort: --%s needs a number from %ld to %ld, not '%s'\n", option, least, most, text);
		exit(2);
	}
	return value;
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{"threads", required_argument, NULL, 't'},
		{"records", required_argument, NULL, 'r'},
		{"seed", required_argument, NULL, 's'},
		{"print", no_argument, NULL, 'p'},
		{NULL, 0, NULL, 0},
	};
	long threads = 4, seed = 1;
	bool print = false;
	int option;
	job.count = 100000;
	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (option == 't')
			threads = number("threads", optarg, 1, THREADS_MOST);
		else if (option == 'r')
			job.count = (size_t)number("records", optarg, 1, 10000000);
		else if (option == 's')
			seed = number("seed", optarg, 0, UINT_MAX);
		else if (option == 'p')
			print = true;
		else
			return 2;
	}
	make_records((uint32_t)seed);
	run_threads(threads);
	return report(print);
}
