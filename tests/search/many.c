/* SPDX-License-Identifier: MIT */
/* Two threads change a number without a lock, so that nearly each schedule prints another one. */
#include <pthread.h>
#include <stdio.h>

static volatile unsigned number;

static void *change(void *unused)
{
	for (int i = 0; i < 300; i++)
		number = number * 3 + 1;
	return unused;
}

int main(void)
{
	pthread_t other;
	pthread_create(&other, NULL, change, NULL);
	for (int i = 0; i < 300; i++)
		number = number * 7 + 2;
	pthread_join(other, NULL);
	printf("%u\n", number);
	return 0;
}
