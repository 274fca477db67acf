/* SPDX-License-Identifier: MIT */
/* Descriptors that are closed, replaced or handed out while another thread waits with them: the call goes on with the
 * file it began with. */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "pipe_ends.h"
#include "say.h"
#include "waiter.h"

static char text[200000];
static int next; /* descriptor that open will return */

static void read_five(void *unused)
{
	(void)unused;
	result = read(in, text, 5);
	error = errno;
}

static void write_all(void *unused)
{
	(void)unused;
	result = write(out, text, sizeof(text));
	error = errno;
}

static void close_while_reading(void)
{
	struct waiter reader;
	open_pipe();
	waiter_start(&reader, read_five, NULL);
	SAY(close(in));
	SAY(close(in));
	SAY(write(out, "hello", 5)); /* the reader has it open still */
	waiter_join(&reader);
	tell("read");
	printf("%.5s\n", text);
	SAY(write(out, "hello", 5)); /* and now nobody */
	close(out);
}

static void replace_while_reading(void)
{
	struct waiter reader;
	int other[2];
	open_pipe();
	if (pipe(other))
		abort();
	SAY(write(other[1], "other", 5));
	waiter_start(&reader, read_five, NULL);
	SAY_TRUE(dup2(other[0], in) == in);
	SAY(write(out, "first", 5));
	waiter_join(&reader);
	printf("read %.5s\n", text);
	read_five(NULL);
	printf("read %.5s\n", text);
	close(other[0]);
	close(other[1]);
	close(in);
	close(out);
}

static void close_while_writing(void)
{
	struct waiter writer;
	static char got[65536];
	long total = 0, step;
	open_pipe();
	waiter_start(&writer, write_all, NULL);
	SAY(close(out));
	SAY(close(out));
	while ((step = read(in, got, sizeof(got))) > 0)
		total += step;
	waiter_join(&writer);
	tell("write");
	printf("%ld until the end of file\n", total);
	close(in);
}

/* Both ends closed by others: the reader holds its own, and the writer's end tells it the end. */
static void close_both(void)
{
	struct waiter reader;
	open_pipe();
	waiter_start(&reader, read_five, NULL);
	SAY(close(in));
	SAY(close(out));
	waiter_join(&reader);
	tell("read");
}

static void open_to_read(void *path)
{
	next = dup(0);
	close(next);
	in = open(path, O_RDONLY);
}

/* The number that open will return is taken while it waits. */
static void number_of_open(void)
{
	struct waiter opener;
	SAY(mkfifo("fifo", 0600));
	waiter_start(&opener, open_to_read, "fifo");
	int other = dup(0);
	SAY_TRUE(other == next + 1);
	SAY(close(next));
	SAY(fcntl(next, F_GETFD));
	SAY(dup2(0, next));
	out = open("fifo", O_WRONLY);
	waiter_join(&opener);
	SAY_TRUE(in == next);
	SAY(fcntl(in, F_GETFD));
	close(in);
	close(out);
	close(other);
	unlink("fifo");
}

static void lock_whole(void *fd)
{
	result = flock(*(int *)fd, LOCK_EX);
	error = errno;
}

static void lock_range(void *fd)
{
	struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_len = 10};
	result = fcntl(*(int *)fd, F_OFD_SETLKW, &lock);
	error = errno;
}

static void locks(void)
{
	struct waiter locker;
	int first = open("file", O_RDWR | O_CREAT, 0600), second = open("file", O_RDWR), third = open("file", O_RDWR);
	SAY(flock(first, LOCK_SH));
	SAY(flock(third, LOCK_SH));
	waiter_start(&locker, lock_whole, &second);
	SAY(flock(first, LOCK_UN));
	SAY(flock(third, LOCK_UN));
	waiter_join(&locker);
	tell("flock");
	SAY(flock(first, LOCK_EX | LOCK_NB));
	SAY(close(second));
	SAY(flock(first, LOCK_EX | LOCK_NB));
	/* The lock that comes goes with the file, which only the waiting call has open any more. */
	second = open("file", O_RDWR);
	waiter_start(&locker, lock_whole, &second);
	SAY(close(second));
	SAY(flock(first, LOCK_UN));
	waiter_join(&locker);
	tell("flock");
	SAY(flock(first, LOCK_EX | LOCK_NB));

	struct flock lock = {.l_type = F_RDLCK, .l_whence = SEEK_SET, .l_start = 5};
	second = open("file", O_RDWR);
	SAY(fcntl(first, F_OFD_SETLK, &lock));
	waiter_start(&locker, lock_range, &second);
	lock.l_type = F_UNLCK;
	SAY(fcntl(first, F_OFD_SETLK, &lock));
	waiter_join(&locker);
	tell("fcntl");
	lock.l_type = F_RDLCK;
	SAY(fcntl(first, F_OFD_SETLK, &lock));
	close(second);
	SAY(fcntl(first, F_OFD_SETLK, &lock));
	second = open("file", O_RDWR);
	waiter_start(&locker, lock_range, &second);
	SAY(close(first));
	waiter_join(&locker);
	tell("fcntl");
	close(second);
	close(third);
	unlink("file");
}

int main(void)
{
	signal(SIGPIPE, SIG_IGN);
	close_while_reading();
	replace_while_reading();
	close_while_writing();
	close_both();
	number_of_open();
	locks();
	return 0;
}
