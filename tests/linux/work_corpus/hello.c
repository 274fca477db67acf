/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

int main(void)
{
	char *lines[500], line[64];
	double sum = 0;
	for (int i = 0; i < 500; i++) {
		snprintf(line, sizeof(line), "%d %x", i * 7919 % 503, i);
		lines[i] = strdup(line);
		sum += (double)i / (i + 1);
	}
	qsort(lines, 500, sizeof(*lines), compare);
	for (int i = 0; i < 500; i += 50)
		puts(lines[i]);
	printf("%.9f\n", sum);
	return 3;
}
