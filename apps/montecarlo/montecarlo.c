/* SPDX-License-Identifier: MIT */
/* Integrates exp(-|x|^2) over the unit cube of six dimensions by the Monte Carlo method, in threads.
 *
 *     montecarlo [--threads N] [--blocks N] [--seed N]
 *
 * The samples come in blocks, each with random numbers of its own; a thread takes the next block, and adds the block's
 * sum to the total when it has it. All threads together always add the same numbers, but in the order in which they
 * happen to be done, and floating-point addition is not associative: the last digits depend on the schedule. */
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DIMENSIONS 6
#define BLOCK_SAMPLES 1000
#define THREADS_MOST 1000

/* What threads share; the lock protects all but seed and blocks. */
static struct job {
	uint64_t seed;
	long blocks;
	pthread_mutex_t lock;
	long next_block;
	double sum;
	double sum_of_squares;
} job = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* splitmix64: the next random number of a sequence, in [0, 1). */
static double uniform(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15U;
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9U;
	z = (z ^ z >> 27) * 0x94d049bb133111ebU;
	return (double)((z ^ z >> 31) >> 11) * 0x1p-53;
}

/* The mean of the integrand over one block's samples. */
static double block_mean(uint64_t seed, long block)
{
	uint64_t state = seed * 0x2545f4914f6cdd1dU + (uint64_t)block * 0xd1342543de82ef95U;
	double sum = 0;
	for (int i = 0; i < BLOCK_SAMPLES; i++) {
		double square = 0;
		for (int d = 0; d < DIMENSIONS; d++) {
			double x = uniform(&state);
			square += x * x;
		}
		sum += exp(-square);
	}
	return sum / BLOCK_SAMPLES;
}

/* The number of a block that nobody has done yet, or -1. */
static long take_block(void)
{
	pthread_mutex_lock(&job.lock);
	long block = job.next_block < job.blocks ? job.next_block++ : -1;
	pthread_mutex_unlock(&job.lock);
	return block;
}

static void *work(void *unused)
{
	for (long block = take_block(); block >= 0; block = take_block()) {
		double mean = block_mean(job.seed, block);
		pthread_mutex_lock(&job.lock);
		job.sum += mean;
		job.sum_of_squares += mean * mean;
		pthread_mutex_unlock(&job.lock);
	}
	return unused;
}

static void run_threads(long count)
{
	pthread_t threads[THREADS_MOST];
	for (long i = 0; i < count; i++) {
		int error = pthread_create(&threads[i], NULL, work, NULL);
		if (error) {
			fprintf(stderr, "montecarlo: cannot create thread %ld: %s\n", i + 1, strerror(error));
			exit(1);
		}
	}
	for (long i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
}

/* A number in [least, most], or the end of the program. */
static long number(const char *option, const char *text, long least, long most)
{
	char *end;
	errno = 0;
	long value = strtol(text, &end, 0);
	if (errno || end == text || *end || value < least || value > most) {
		fprintf(stderr, "montecarlo: --%s needs a number from %ld to %ld, not '%s'\n", option, least, most,
		        text);
		exit(2);
	}
	return value;
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{"threads", required_argument, NULL, 't'},
		{"blocks", required_argument, NULL, 'b'},
		{"seed", required_argument, NULL, 's'},
		{NULL, 0, NULL, 0},
	};
	long threads = 4;
	int option;
	job.blocks = 400;
	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (option == 't')
			threads = number("threads", optarg, 1, THREADS_MOST);
		else if (option == 'b')
			job.blocks = number("blocks", optarg, 2, 1000000);
		else if (option == 's')
			job.seed = (uint64_t)number("seed", optarg, 0, LONG_MAX);
		else
			return 2;
	}
	run_threads(threads);
	double n = (double)job.blocks, mean = job.sum / n;
	double error = sqrt((job.sum_of_squares - n * mean * mean) / (n - 1) / n);
	printf("integral %.17g\nstandard error %.1e\nexact %.12f\n", mean, error,
	       pow(sqrt(M_PI) / 2 * erf(1), DIMENSIONS));
	return 0;
}
