/* SPDX-License-Identifier: MIT */
/* Notification by a thread that calls a function: timers and asynchronous input and output. */
#include <aio.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "say.h"

static sem_t called;
static int sum, in_main;
static pthread_t main_thread;

static void function(union sigval value)
{
	sum += value.sival_int;
	in_main += pthread_equal(pthread_self(), main_thread) != 0;
	sem_post(&called);
}

static sem_t written;
static int written_value;

static void tell_written(union sigval value)
{
	written_value += value.sival_int;
	sem_post(&written);
}

static void await(int times)
{
	for (int i = 0; i < times; i++)
		while (sem_wait(&called))
			;
}

static void timers(void)
{
	struct sigevent event = {.sigev_notify = SIGEV_THREAD, .sigev_value = {.sival_int = 3}};
	struct itimerspec value = {{0, 0}, {0, 1000000}};
	timer_t timer, other;
	pthread_attr_t attr;
	puts("timers");
	event.sigev_notify_function = function;
	SAY(timer_create(CLOCK_MONOTONIC, &event, &timer));
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 65536);
	event.sigev_notify_attributes = &attr;
	event.sigev_value.sival_int = 100;
	SAY(timer_create(CLOCK_REALTIME, &event, &other));
	SAY(timer_settime(timer, 0, &value, NULL));
	await(1);
	SAY(timer_settime(other, 0, &value, NULL));
	await(1);
	printf("sum %d, in main %d\n", sum, in_main);
	value.it_interval.tv_nsec = 5000000;
	SAY(timer_settime(timer, 0, &value, NULL));
	await(4);
	SAY(timer_delete(timer));
	SAY_TRUE(sum >= 115 && sum % 3 == 1);
	SAY(timer_delete(other));
	SAY_TRUE(timer_create((clockid_t)99, &event, &other) == -1);
}

static void asynchronous(void)
{
	char text[10] = "123456789";
	int fd = open("thread_notify.data", O_RDWR | O_CREAT | O_TRUNC, 0600);
	struct aiocb request = {.aio_fildes = fd, .aio_buf = text, .aio_nbytes = 9};
	puts("input and output");
	sem_init(&written, 0, 0);
	request.aio_sigevent.sigev_notify = SIGEV_THREAD;
	request.aio_sigevent.sigev_notify_function = tell_written;
	request.aio_sigevent.sigev_value.sival_int = 7;
	SAY(aio_write(&request));
	while (sem_wait(&written))
		;
	SAY(aio_error(&request));
	SAY(aio_return(&request));
	SAY_TRUE(written_value == 7);
	close(fd);
	unlink("thread_notify.data");
}

int main(void)
{
	main_thread = pthread_self();
	sem_init(&called, 0, 0);
	timers();
	asynchronous();
	return 0;
}
