/* SPDX-License-Identifier: MIT */
/* Pipes between threads: who waits is woken by data, by room, by the other end's end, by a larger pipe, by a signal. */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/sendfile.h>
#include <sys/stat.h>

#include "pipe_ends.h"
#include "say.h"
#include "waiter.h"

#define LARGE 200000

static char block[LARGE];
static long sum;
static volatile sig_atomic_t signals;

static void on_signal(int sig)
{
	(void)sig;
	signals++;
}

static void read_some(void *to)
{
	result = read(in, to, LARGE);
	error = errno;
}

static void write_large(void *from)
{
	result = write(out, from, LARGE);
	error = errno;
}

static void write_one(void *from)
{
	result = write(out, from, 1);
	error = errno;
}

/* Fills the pipe; how much that was. */
static long fill(void)
{
	long total = 0, step;
	fcntl(out, F_SETFL, O_NONBLOCK);
	while ((step = write(out, block, 4096)) > 0)
		total += step;
	fcntl(out, F_SETFL, 0);
	return total;
}

static void wait_for_data(void)
{
	struct waiter reader;
	char text[LARGE] = "";
	open_pipe();
	waiter_start(&reader, read_some, text);
	SAY(write(out, "hello", 5));
	waiter_join(&reader);
	tell("woken by data");
	printf("%s\n", text);
	waiter_start(&reader, read_some, text);
	close(out);
	waiter_join(&reader);
	tell("woken by the last writer's end");
	close(in);
}

static void wait_for_room(void)
{
	struct waiter writer;
	static char got[LARGE];
	long total = 0, step;
	open_pipe();
	for (long i = 0; i < LARGE; i++)
		block[i] = (char)(i % 251);
	waiter_start(&writer, write_large, block);
	while (total < LARGE && (step = read(in, got + total, sizeof(got) - (size_t)total)) > 0)
		total += step;
	waiter_join(&writer);
	tell("a large write");
	SAY_TRUE(memcmp(got, block, LARGE) == 0);
	printf("filled with %ld\n", fill());
	waiter_start(&writer, write_one, block);
	SAY(read(in, got, 4096));
	waiter_join(&writer);
	tell("woken by room");
	while (total > 0 && (step = read(in, got, 4096)) == 4096)
		total -= step;
	close(in);
	close(out);
}

static void reader_goes(void)
{
	struct waiter writer;
	open_pipe();
	fill();
	signals = 0;
	signal(SIGPIPE, on_signal);
	waiter_start(&writer, write_one, block);
	close(in);
	waiter_join(&writer);
	tell("woken by the last reader's end");
	printf("%d SIGPIPE\n", (int)signals);
	close(out);
	/* What was written before is told, not the end. */
	open_pipe();
	waiter_start(&writer, write_large, block);
	close(in);
	waiter_join(&writer);
	tell("in the middle");
	printf("%d SIGPIPE\n", (int)signals);
	close(out);
}

static void pipe_grows(void)
{
	struct waiter writer;
	open_pipe();
	printf("filled with %ld\n", fill());
	waiter_start(&writer, write_one, block);
	SAY(fcntl(out, F_SETPIPE_SZ, 131072));
	waiter_join(&writer);
	tell("woken by a larger pipe");
	printf("filled with %ld more\n", fill());
	close(in);
	close(out);
}

static void read_and_add(void *unused)
{
	unsigned char byte;
	(void)unused;
	if (read(in, &byte, 1) == 1)
		__atomic_fetch_add(&sum, byte, __ATOMIC_SEQ_CST);
}

static void many_readers(void)
{
	struct waiter readers[5];
	open_pipe();
	for (int i = 0; i < 5; i++)
		waiter_start(&readers[i], read_and_add, NULL);
	for (char i = 1; i <= 3; i++)
		SAY(write(out, &i, 1));
	SAY(write(out, "\4\5", 2));
	for (int i = 0; i < 5; i++)
		waiter_join(&readers[i]);
	printf("sum %ld\n", sum);
	close(in);
	close(out);
}

static void interrupted(void)
{
	struct waiter reader;
	struct sigaction action = {.sa_handler = on_signal};
	char text[LARGE];
	open_pipe();
	signals = 0;
	sigaction(SIGUSR1, &action, NULL);
	waiter_start(&reader, read_some, text);
	pthread_kill(reader.thread, SIGUSR1);
	waiter_join(&reader);
	tell("interrupted");
	printf("%d signals\n", (int)signals);
	/* What was written before is the result. */
	waiter_start(&reader, write_large, block);
	pthread_kill(reader.thread, SIGUSR1);
	waiter_join(&reader);
	tell("interrupted in the middle");
	close(in);
	close(out);
}

static void open_to_read(void *path)
{
	in = open(path, O_RDONLY);
}

static void fifos(void)
{
	struct waiter reader;
	char byte;
	SAY(mkfifo("fifo", 0600));
	waiter_start(&reader, open_to_read, "fifo");
	SAY(unlink("fifo"));
	/* Without its name nobody can come, but for who has it already: here nobody; a signal ends it. */
	pthread_kill(reader.thread, SIGUSR1);
	waiter_join(&reader);
	printf("open %d\n", in);
	SAY(mkfifo("fifo", 0600));
	waiter_start(&reader, open_to_read, "fifo");
	out = open("fifo", O_WRONLY);
	waiter_join(&reader);
	SAY(unlink("fifo"));
	SAY(write(out, "x", 1));
	SAY(read(in, &byte, 1));
	close(in);
	close(out);
}

static void send(void *file)
{
	off_t from = 0;
	result = sendfile(out, *(int *)file, &from, 5);
	error = errno;
}

static void send_file(void)
{
	struct waiter sender;
	char text[8192] = "";
	int file = open("file", O_RDWR | O_CREAT | O_TRUNC, 0600);
	SAY(write(file, "hello", 5));
	open_pipe();
	fill();
	waiter_start(&sender, send, &file);
	SAY(close(file));
	SAY(read(in, text, 4096));
	waiter_join(&sender);
	tell("sendfile, once there is room");
	fcntl(in, F_SETFL, O_NONBLOCK);
	long last = 0, step;
	while ((step = read(in, text, 4096)) > 0)
		last = step;
	printf("%ld: %.5s\n", last, text);
	close(in);
	close(out);
	unlink("file");
}

int main(void)
{
	wait_for_data();
	wait_for_room();
	reader_goes();
	pipe_grows();
	many_readers();
	interrupted();
	fifos();
	send_file();
	return 0;
}
