/* SPDX-License-Identifier: MIT */
/* Locks: flock and F_OFD_SETLK between open files, F_SETLK within a process, and what each close releases. */
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "say.h"

static int record(int fd, int command, int type, off_t start, off_t length)
{
	struct flock lock = {.l_type = (short)type, .l_whence = SEEK_SET, .l_start = start, .l_len = length};
	int result = fcntl(fd, command, &lock);
	if (result == 0 && (command == F_GETLK || command == F_OFD_GETLK))
		printf("type %d, from %lld, %lld bytes, %s\n", lock.l_type, (long long)lock.l_start,
		       (long long)lock.l_len,
		       lock.l_pid == -1 ? "an open file's"
		       : lock.l_pid     ? "a process's"
		                        : "-");
	return result;
}

static void whole(void)
{
	int a = open("file", O_RDWR), b = open("file", O_RDONLY), again = dup(a);
	SAY(flock(a, LOCK_EX));
	SAY(flock(b, LOCK_SH | LOCK_NB));
	SAY(flock(again, LOCK_EX | LOCK_NB));
	SAY(flock(again, LOCK_SH));
	SAY(flock(b, LOCK_SH | LOCK_NB));
	SAY(flock(a, LOCK_EX | LOCK_NB)); /* and now has none */
	SAY(flock(b, LOCK_EX | LOCK_NB));
	SAY(flock(b, LOCK_UN));
	SAY(flock(a, LOCK_EX));
	SAY(close(a));
	SAY(flock(b, LOCK_EX | LOCK_NB));
	SAY(close(again));
	SAY(flock(b, LOCK_EX | LOCK_NB));
	SAY(flock(b, 16));
	SAY(flock(99, LOCK_SH));
	int path = open("file", O_PATH);
	SAY(flock(path, LOCK_SH));
	SAY(fcntl(path, F_SETLK, NULL));
	close(path);
	close(b);
}

static void of_process(void)
{
	int a = open("file", O_RDWR), b = open("file", O_RDWR);
	SAY(record(a, F_SETLK, F_WRLCK, 0, 10));
	SAY(record(b, F_SETLK, F_WRLCK, 5, 10));
	SAY(record(b, F_GETLK, F_WRLCK, 0, 0));
	SAY(record(b, F_OFD_GETLK, F_WRLCK, 0, 0));
	SAY(record(b, F_OFD_SETLK, F_RDLCK, 14, 3));
	SAY(record(b, F_OFD_SETLK, F_RDLCK, 15, 3));
	SAY(record(a, F_GETLK, F_WRLCK, 0, 0));
	SAY(record(a, F_GETLK, F_UNLCK, 0, 0));
	int other = open("file", O_RDONLY);
	SAY(close(other)); /* releases what was set through a and b */
	SAY(record(b, F_OFD_SETLK, F_RDLCK, 0, 3));
	SAY(record(a, F_SETLK, F_RDLCK, 0, 1));
	SAY(record(a, F_SETLK, F_WRLCK, 0, 1));
	close(a);
	close(b);
}

static void of_open_files(void)
{
	int a = open("file", O_RDWR), b = open("file", O_RDWR), again = dup(a);
	SAY(record(a, F_OFD_SETLK, F_WRLCK, 100, 100));
	SAY(record(again, F_OFD_SETLK, F_UNLCK, 140, 20));
	SAY(record(b, F_OFD_SETLK, F_WRLCK, 150, 10));
	SAY(record(b, F_OFD_GETLK, F_RDLCK, 0, 0));
	SAY(record(b, F_OFD_GETLK, F_RDLCK, 159, 20));
	SAY(record(b, F_OFD_SETLKW, F_RDLCK, 140, 5));
	SAY(record(b, F_OFD_SETLK, F_RDLCK, 139, 5));
	SAY(close(a));
	SAY(record(b, F_OFD_SETLK, F_RDLCK, 139, 5));
	SAY(dup2(b, again)); /* closes the last descriptor of the other */
	SAY(record(b, F_OFD_SETLK, F_RDLCK, 139, 5));
	close(b);
	close(again);
}

static void refused(void)
{
	int reader = open("file", O_RDONLY), writer = open("file", O_WRONLY);
	SAY(record(reader, F_SETLK, F_WRLCK, 0, 0));
	SAY(record(writer, F_SETLK, F_RDLCK, 0, 0));
	SAY(record(reader, F_SETLK, 7, 0, 0));
	SAY(record(reader, F_SETLK, F_RDLCK, -1, 0));
	SAY(record(reader, F_SETLK, F_RDLCK, 5, -6));
	SAY(record(reader, F_SETLK, F_RDLCK, 5, -5));
	SAY(record(writer, F_OFD_GETLK, F_WRLCK, 0, 0));
	SAY(record(reader, F_GETLK, F_UNLCK, 0, 0));
	SAY(record(99, F_SETLK, F_RDLCK, 0, 0));
	SAY(lockf(writer, F_TLOCK, 5));
	SAY(lockf(writer, F_TEST, 5));
	SAY(lockf(writer, F_ULOCK, 5));
	close(reader);
	close(writer);
}

int main(void)
{
	close(open("file", O_RDWR | O_CREAT, 0644));
	whole();
	of_process();
	of_open_files();
	refused();
	return unlink("file");
}
