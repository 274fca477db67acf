/* SPDX-License-Identifier: MIT */
/* Buffers that are not all there: what is there is transferred, but by a read of a pipe. */
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#ifndef __NEWLIB__
#include <sys/syscall.h>
#endif
#include <sys/uio.h>
#include <unistd.h>

#include "say.h"

#define PAGE 4096

#ifndef __NEWLIB__ /* glibc 2.41 has no system call there, but the vDSO, which dies of SIGSEGV */
#define getrandom(buffer, bytes, flags) syscall(SYS_getrandom, buffer, bytes, flags)
#endif

/* Standard output has it once. */
static void to_output(void)
{
	char *at = mmap(NULL, 40 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	memset(at, 'a', 40 * PAGE);
	munmap(at + 20 * PAGE, PAGE);
	SAY(write(1, at + 7, 40 * PAGE));
}

int main(void)
{
	to_output();
	char *at = mmap(NULL, 4 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct iovec pieces[2] = {{at, 100}, {(void *)8, 10}};
	int ends[2], file = open("partial", O_CREAT | O_RDWR, 0600), zero = open("/dev/zero", O_RDONLY);
	for (int i = 0; i < 4 * PAGE; i++)
		at[i] = (char)i;
	mprotect(at + 2 * PAGE, PAGE, PROT_NONE); /* a hole could become a page of the C library */
	mprotect(at + PAGE, PAGE, PROT_READ);
	SAY(write(file, at, 4 * PAGE));
	SAY(lseek(file, 0, SEEK_CUR));
	SAY(pwrite(file, at + 2 * PAGE - 96, 1000, 0));
	SAY(pwrite(file, at + 2 * PAGE, 1000, 0));
	SAY(ftruncate(file, 20000));
	SAY(pread(file, at, 4 * PAGE, 0));
	SAY(pread(file, at + PAGE - 6, 100, 19990));
	SAY(pread(file, at + PAGE - 6, 100, 30000));
	SAY(pread(file, at + PAGE, 100, 0));
	SAY(lseek(file, 0, SEEK_SET));
	SAY(read(file, at, 3 * PAGE));
	SAY(lseek(file, 0, SEEK_CUR));
	SAY(writev(file, pieces, 2));
	SAY(preadv(file, pieces, 2, 0));
	SAY(read(zero, at, 3 * PAGE));
	SAY(read(zero, at + 2 * PAGE, PAGE));
	SAY(getrandom(at + 2 * PAGE, 1, 0));
	mprotect(at + PAGE, PAGE, PROT_READ | PROT_WRITE);
	SAY(getrandom(at + 2 * PAGE - 300, 400, 0));
	SAY(getrandom(at + 2 * PAGE - 10, PAGE, 0));
	mprotect(at + PAGE, PAGE, PROT_READ);
	SAY(pipe(ends));
	SAY(write(ends[1], at, 4 * PAGE));
	SAY(write(ends[1], at + 2 * PAGE, PAGE));
	SAY(read(ends[0], at + PAGE - 96, 1000));
	SAY(read(ends[0], at, PAGE));
	SAY(read(ends[0], at, PAGE));
	SAY(write(ends[1], at + 2 * PAGE - 10, 20));
	return 0;
}
