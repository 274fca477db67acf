/* SPDX-License-Identifier: MIT */
/* Reads a line of standard input before the marker, and lets two threads read the others, each with read(2) alone. It
 * fails if the first thread reads fewer lines than the second one. */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

#ifdef __EREMITE__
#include <eremite.h>
#else
#include "libc-port/include/eremite.h"
#endif

static int lines[2];
static volatile unsigned sum;

static long read_line(void)
{
	char line[256];
	const long got = read(STDIN_FILENO, line, sizeof(line));
	for (long i = 0; i < got; i++)
		sum = sum * 31 + (unsigned char)line[i];
	return got;
}

static void *read_lines(void *number)
{
	while (read_line() > 0)
		++*(int *)number;
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	const long first = read_line();
	eremite_marker("start");
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, read_lines, &lines[i]);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	printf("%ld bytes, then %d and %d lines, sum %08x\n", first, lines[0], lines[1], sum);
	return lines[0] < lines[1];
}
