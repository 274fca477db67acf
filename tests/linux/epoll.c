/* SPDX-License-Identifier: MIT */
/* epoll(7): level and edge, EPOLLONESHOT, changes, nesting and its limits, descriptors that are closed, errors. */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "tests/guest/say.h"

static int set;

static int control(int epoll, int operation, int fd, uint32_t events, uint64_t data)
{
	struct epoll_event event = {.events = events, .data = {.u64 = data}};
	return epoll_ctl(epoll, operation, fd, &event);
}

/* What is ready now. */
static void show(int epoll)
{
	struct epoll_event events[8];
	int count = epoll_wait(epoll, events, 8, 0);
	printf("ready %d:", count);
	for (int i = 0; i < count; i++)
		printf(" %x of %ld", events[i].events, (long)events[i].data.u64);
	printf("\n");
}

static void put(int fd, const char *text)
{
	if (write(fd, text, strlen(text)) < 0)
		printf("write failed\n");
}

static void get(int fd)
{
	char text[65536];
	if (read(fd, text, sizeof(text)) < 0)
		printf("read failed: %s\n", errno_name(errno));
}

static void errors(void)
{
	struct epoll_event event = {.events = EPOLLIN};
	int pipe_fds[2], file = open("/", O_RDONLY), null = open("/dev/null", O_RDWR);
	if (pipe(pipe_fds))
		return;
	SAY(epoll_create(0));
	SAY(epoll_create1(1));
	SAY(epoll_ctl(set, EPOLL_CTL_ADD, 99, &event));
	SAY(epoll_ctl(99, EPOLL_CTL_ADD, 0, &event));
	SAY(epoll_ctl(set, EPOLL_CTL_ADD, set, &event));
	SAY(epoll_ctl(pipe_fds[0], EPOLL_CTL_ADD, pipe_fds[1], &event));
	SAY(epoll_ctl(set, EPOLL_CTL_ADD, file, &event));
	SAY(epoll_ctl(set, EPOLL_CTL_ADD, null, &event));
	SAY(epoll_ctl(set, EPOLL_CTL_ADD, pipe_fds[0], (void *)8));
	SAY(epoll_ctl(set, EPOLL_CTL_MOD, pipe_fds[0], &event));
	SAY(epoll_ctl(set, EPOLL_CTL_DEL, pipe_fds[0], NULL));
	SAY(epoll_ctl(set, 9, pipe_fds[0], &event));
	SAY(epoll_ctl(set, EPOLL_CTL_ADD, pipe_fds[0], &event));
	SAY(epoll_ctl(set, EPOLL_CTL_ADD, pipe_fds[0], &event));
	SAY(epoll_ctl(set, EPOLL_CTL_DEL, pipe_fds[0], NULL));
	event.events = EPOLLIN | EPOLLEXCLUSIVE | EPOLLONESHOT;
	SAY(epoll_ctl(set, EPOLL_CTL_ADD, pipe_fds[0], &event));
	event.events = EPOLLIN | EPOLLEXCLUSIVE;
	SAY(epoll_ctl(set, EPOLL_CTL_ADD, pipe_fds[0], &event));
	SAY(epoll_ctl(set, EPOLL_CTL_MOD, pipe_fds[0], &event));
	event.events = EPOLLIN;
	SAY(epoll_ctl(set, EPOLL_CTL_MOD, pipe_fds[0], &event));
	SAY(epoll_wait(set, &event, 0, 0));
	SAY(epoll_wait(set, &event, -1, 0));
	SAY(epoll_wait(99, &event, 1, 0));
	SAY(epoll_wait(null, &event, 1, 0));
	put(pipe_fds[1], "x");
	SAY(epoll_wait(set, (void *)8, 1, 0));
	show(set);
	SAY(epoll_pwait(set, &event, 1, 0, NULL));
	close(pipe_fds[0]);
	show(set);
	close(pipe_fds[1]);
	close(file);
	close(null);
}

static void level_and_edge(void)
{
	int level[2], edge[2], once[2];
	if (pipe(level) || pipe(edge) || pipe(once))
		return;
	control(set, EPOLL_CTL_ADD, level[0], EPOLLIN, 1);
	control(set, EPOLL_CTL_ADD, edge[0], EPOLLIN | EPOLLET, 2);
	control(set, EPOLL_CTL_ADD, once[0], EPOLLIN | EPOLLONESHOT, 3);
	show(set);
	put(once[1], "a");
	put(edge[1], "b");
	put(level[1], "c");
	show(set);
	show(set);
	put(edge[1], "more");
	put(once[1], "more");
	show(set);
	control(set, EPOLL_CTL_MOD, once[0], EPOLLIN | EPOLLONESHOT, 4);
	show(set);
	get(level[0]);
	show(set);
	get(edge[0]);
	close(edge[1]);
	close(level[1]);
	show(set);
	show(set);
	close(level[0]);
	close(edge[0]);
	close(once[0]);
	close(once[1]);
	show(set);
}

static void writing(void)
{
	int fds[2];
	static char page[65536];
	if (pipe2(fds, O_NONBLOCK))
		return;
	control(set, EPOLL_CTL_ADD, fds[1], EPOLLOUT | EPOLLET, 1);
	control(set, EPOLL_CTL_ADD, fds[0], EPOLLIN | EPOLLOUT | EPOLLET, 2);
	show(set);
	SAY(write(fds[1], page, sizeof(page)));
	show(set);
	SAY(read(fds[0], page, sizeof(page)));
	show(set);
	show(set);
	close(fds[0]);
	show(set);
	close(fds[1]);
}

/* An open file stays in a set while any descriptor stands for it. */
static void closing(void)
{
	struct epoll_event event = {.events = EPOLLIN};
	int fds[2];
	if (pipe(fds))
		return;
	int other = dup(fds[0]);
	control(set, EPOLL_CTL_ADD, fds[0], EPOLLIN, 1);
	control(set, EPOLL_CTL_ADD, other, EPOLLIN, 2);
	put(fds[1], "x");
	show(set);
	int number = fds[0];
	close(fds[0]);
	show(set);
	SAY(epoll_ctl(set, EPOLL_CTL_DEL, number, &event) == 0);
	close(other);
	show(set);
	close(fds[1]);
}

static void nesting(void)
{
	int chain[7], fd = eventfd(0, 0);
	for (int i = 0; i < 7; i++)
		chain[i] = epoll_create1(0);
	for (int i = 0; i < 6; i++)
		SAY(control(chain[i], EPOLL_CTL_ADD, chain[i + 1], EPOLLIN, i));
	SAY(control(chain[2], EPOLL_CTL_ADD, chain[0], EPOLLIN, 0));
	SAY(control(chain[1], EPOLL_CTL_ADD, chain[0], EPOLLIN, 0));
	SAY(control(chain[2], EPOLL_CTL_ADD, fd, EPOLLIN, 77));
	show(chain[0]);
	uint64_t one = 1;
	SAY(write(fd, &one, 8));
	show(chain[0]);
	show(chain[2]);
	SAY(read(fd, &one, 8));
	show(chain[0]);
	for (int i = 0; i < 7; i++)
		close(chain[i]);
	close(fd);
}

static int shared_pipe[2], taken[4];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Several threads wait for the same set; each event of an edge-triggered one wakes one of them. */
static void *worker(void *number)
{
	struct epoll_event event;
	for (;;) {
		if (epoll_wait(set, &event, 1, -1) != 1)
			printf("epoll_wait failed\n");
		if (event.data.u64 == 9)
			return NULL;
		pthread_mutex_lock(&lock);
		char c;
		taken[(long)number] += read(shared_pipe[0], &c, 1) == 1;
		pthread_mutex_unlock(&lock);
	}
}

static void threads(void)
{
	pthread_t all[4];
	int end = eventfd(0, 0), total = 0;
	uint64_t one = 1;
	if (pipe2(shared_pipe, O_NONBLOCK))
		return;
	control(set, EPOLL_CTL_ADD, shared_pipe[0], EPOLLIN, 1);
	control(set, EPOLL_CTL_ADD, end, EPOLLIN, 9);
	for (long i = 0; i < 4; i++)
		pthread_create(&all[i], NULL, worker, (void *)i);
	for (int i = 0; i < 100; i++)
		put(shared_pipe[1], "x");
	for (;;) {
		pthread_mutex_lock(&lock);
		total = taken[0] + taken[1] + taken[2] + taken[3];
		pthread_mutex_unlock(&lock);
		if (total == 100)
			break;
		usleep(1000);
	}
	SAY(write(end, &one, 8));
	for (int i = 0; i < 4; i++)
		pthread_join(all[i], NULL);
	printf("taken %d\n", total);
	close(shared_pipe[0]);
	close(shared_pipe[1]);
	close(end);
}

static void on_alarm(int sig)
{
	(void)sig;
}

static void waiting(void)
{
	struct epoll_event event;
	struct timespec before, after, short_time = {0, 20000000};
	struct itimerspec soon = {.it_value = {0, 10000000}};
	int timer = timerfd_create(CLOCK_MONOTONIC, 0);
	sigset_t none;
	sigemptyset(&none);
	clock_gettime(CLOCK_MONOTONIC, &before);
	SAY(epoll_wait(set, &event, 1, 30));
	SAY(epoll_pwait2(set, &event, 1, &short_time, NULL));
	clock_gettime(CLOCK_MONOTONIC, &after);
	SAY_TRUE((after.tv_sec - before.tv_sec) * 1000000000 + after.tv_nsec - before.tv_nsec >= 50000000);
	control(set, EPOLL_CTL_ADD, timer, EPOLLIN, 5);
	timerfd_settime(timer, 0, &soon, NULL);
	SAY(epoll_wait(set, &event, 1, -1));
	printf("%x of %ld\n", event.events, (long)event.data.u64);
	close(timer);
	signal(SIGALRM, on_alarm);
	ualarm(10000, 0);
	SAY(epoll_wait(set, &event, 1, -1));
	ualarm(10000, 0);
	SAY(epoll_pwait(set, &event, 1, -1, &none));
}

int main(void)
{
	set = epoll_create1(EPOLL_CLOEXEC);
	SAY(fcntl(set, F_GETFD));
	SAY(fcntl(set, F_GETFL));
	SAY(read(set, &set, 4));
	errors();
	level_and_edge();
	writing();
	closing();
	nesting();
	threads();
	waiting();
	return 0;
}
