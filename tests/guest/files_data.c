/* SPDX-License-Identifier: MIT */
/* Contents: offsets, holes, truncation, shared and separate positions, descriptors, times, offsets of 64 bits. */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <termios.h>
#include <unistd.h>

#include "say.h"

static void offsets(void)
{
	char block[100];
	struct stat st;
	int fd = open("data", O_RDWR | O_CREAT, 0644);
	SAY(write(fd, "0123456789", 10));
	SAY(lseek(fd, 3, SEEK_SET));
	SAY(read(fd, block, 4));
	SAY(lseek(fd, -2, SEEK_CUR));
	SAY(lseek(fd, -3, SEEK_END));
	SAY(lseek(fd, -1, SEEK_SET));
	SAY(lseek(fd, -100, SEEK_END));
	SAY(lseek(fd, 0, 99));
	SAY(pread(fd, block, 100, 4));
	SAY(pread(fd, block, 100, 10));
	SAY(pread(fd, block, 1, -1));
	SAY(pwrite(fd, "AB", 2, 12));
	SAY(lseek(fd, 0, SEEK_CUR));
	SAY(pread(fd, block, 100, 0));
	for (int i = 0; i < 14; i++)
		printf("%c", block[i] ? block[i] : '.');
	putchar('\n');
	SAY(lseek(fd, 100000, SEEK_SET));
	SAY(write(fd, "end", 3));
	SAY(pread(fd, block, 100, 50000));
	int zero = 1;
	for (int i = 0; i < 100; i++)
		zero &= block[i] == 0;
	SAY_TRUE(zero);
	SAY(ftruncate(fd, 11));
	SAY(ftruncate(fd, 20));
	SAY(pread(fd, block, 100, 0));
	for (int i = 0; i < 20; i++)
		printf("%c", block[i] ? block[i] : '.');
	putchar('\n');
	SAY(ftruncate(fd, -1));
	SAY(truncate("absent", 1));
	SAY(truncate(".", 1));
	SAY(truncate("data", 5));
	SAY(fstat(fd, &st));
	printf("size %lld\n", (long long)st.st_size);
	SAY(lseek(fd, 0, SEEK_SET));
	struct iovec parts[3] = {{block, 2}, {block + 50, 0}, {block + 60, 50}};
	SAY(readv(fd, parts, 3));
	printf("%.2s %.3s\n", block, block + 60);
	SAY(writev(fd, parts, 2));
	SAY(lseek(fd, 5000000000, SEEK_SET));
	SAY(write(fd, "far", 3));
	SAY(fstat(fd, &st));
	printf("size %lld\n", (long long)st.st_size);
	SAY(pread(fd, block, 10, 4999999998));
	SAY(read(fd, NULL, 0));
	char *volatile wrong = (char *)1;
	SAY(read(fd, wrong, 1));
	SAY(write(fd, wrong, 1));
	SAY(ftruncate(fd, 0));
	SAY(close(fd));
	SAY(read(fd, block, 1));
	SAY(unlink("data"));
}

static void descriptors(void)
{
	int fd = open("dup", O_RDWR | O_CREAT, 0644);
	int second = (int)SAY(dup(fd));
	int separate = open("dup", O_RDWR);
	SAY(write(fd, "abcdef", 6));
	SAY(lseek(second, 0, SEEK_CUR));
	SAY(lseek(separate, 0, SEEK_CUR));
	SAY(dup2(fd, 20));
	SAY(dup2(fd, fd));
	SAY(dup2(99, 21));
	SAY(dup2(fd, -1));
	SAY(dup3(fd, 22, O_CLOEXEC));
	SAY(dup3(fd, fd, 0));
	SAY(fcntl(22, F_GETFD));
	SAY(fcntl(20, F_GETFD));
	SAY(fcntl(20, F_SETFD, FD_CLOEXEC));
	SAY(fcntl(20, F_GETFD));
	SAY(fcntl(fd, F_DUPFD, 30));
	SAY(fcntl(fd, F_DUPFD_CLOEXEC, 30));
	SAY(fcntl(fd, F_GETFL) & (O_ACCMODE | O_APPEND | O_NONBLOCK));
	SAY(fcntl(fd, F_SETFL, O_APPEND | O_NONBLOCK));
	SAY(fcntl(second, F_GETFL) & (O_ACCMODE | O_APPEND | O_NONBLOCK));
	SAY(fcntl(separate, F_GETFL) & (O_ACCMODE | O_APPEND | O_NONBLOCK));
	SAY(fcntl(99, F_GETFD));
	SAY(fcntl(fd, 9999));
	SAY(close(fd));
	SAY(write(second, "ghi", 3));
	SAY(lseek(separate, 0, SEEK_END));
	static const int others[] = {20, 22, 30, 31};
	for (int i = 0; i < 4; i++)
		close(others[i]);
	SAY(dup(separate));
	struct winsize size;
	struct termios termios;
	SAY(isatty(separate));
	SAY(ioctl(separate, TIOCGWINSZ, &size));
	SAY(tcgetattr(separate, &termios));
	SAY(isatty(99));
	SAY(lseek(99, 0, SEEK_SET));
	SAY(fsync(separate));
	SAY(fsync(99));
	SAY(unlink("dup"));
}

static void times(void)
{
	struct stat st;
	struct timespec ts[2] = {{1000000000, 123456789}, {-86400, 5}};
	int fd = open("timed", O_RDWR | O_CREAT, 0644);
	SAY(utimensat(AT_FDCWD, "timed", ts, 0));
	stat("timed", &st);
	printf("%lld.%09ld %lld.%09ld\n", (long long)st.st_atim.tv_sec, st.st_atim.tv_nsec,
	       (long long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec);
	ts[0].tv_nsec = UTIME_OMIT;
	ts[1].tv_sec = 7;
	SAY(futimens(fd, ts));
	stat("timed", &st);
	printf("%lld %lld\n", (long long)st.st_atim.tv_sec, (long long)st.st_mtim.tv_sec);
	ts[1].tv_nsec = 1000000000;
	SAY(futimens(fd, ts));
	SAY(utimensat(AT_FDCWD, "absent", NULL, 0));
	SAY(write(fd, "x", 1));
	struct stat after;
	stat("timed", &after);
	SAY_TRUE(after.st_mtim.tv_sec > 900000000);
	SAY_TRUE(after.st_ctim.tv_sec >= st.st_ctim.tv_sec);
	close(fd);
	unlink("timed");
}

int main(void)
{
	umask(022);
	offsets();
	descriptors();
	times();
	return 0;
}
