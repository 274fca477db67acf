/* SPDX-License-Identifier: MIT */
/* For others.test: reads of a variable, by a thread too, beside others in its page, and by functions of the C library.
 */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static int before, watched, after;
static char text[8] = "abc\n";

__attribute__((noinline)) static int get(void)
{
	return watched + 1;
}

static void *work(void *argument)
{
	watched = 9;
	return argument;
}

int main(void)
{
	int sum = 0;
	pthread_t thread;
	before = 1;
	after = before;
	sum += get();
	watched = 5;
	sum += before + after;
	sum += get();
	pthread_create(&thread, NULL, work, NULL);
	pthread_join(thread, NULL);
	if (write(1, text, 4) != 4)
		return 1;
	text[1] = 'x';
	printf("%d %s", sum, text);
	return 0;
}
