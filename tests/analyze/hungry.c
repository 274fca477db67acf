/* SPDX-License-Identifier: MIT */
/* A thread takes all memory if the limit is not set before it begins. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define PIECE (1 << 20)

static volatile long limit = 1L << 40;

static void *eat(void *unused)
{
	for (long eaten = 0; eaten < limit; eaten += PIECE) {
		char *piece = malloc(PIECE);
		if (!piece)
			abort();
		memset(piece, 1, PIECE);
	}
	return unused;
}

int main(void)
{
	pthread_t eater;
	pthread_create(&eater, NULL, eat, NULL);
	limit = PIECE;
	pthread_join(eater, NULL);
	return 0;
}
