/* SPDX-License-Identifier: MIT */
/* A lock of flock(2) stays with its open file, and that as long as it is mapped somewhere. */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/linux/asleep.h"

#define PAGE 4096UL

static char path[] = "/tmp/lock_mapped-XXXXXX";

/* Whether another open file could have the lock. */
static int is_free(void)
{
	int fd = open(path, O_RDWR);
	assert(fd >= 0);
	int result = flock(fd, LOCK_EX | LOCK_NB);
	assert(!result || errno == EWOULDBLOCK);
	close(fd);
	return !result;
}

static void say(const char *when)
{
	printf("%s: %s\n", when, is_free() ? "free" : "locked");
}

/* A file that is locked and mapped, and closed. */
static uint8_t *map_locked(int flags)
{
	int fd = open(path, O_RDWR);
	assert(fd >= 0 && flock(fd, LOCK_EX) == 0);
	uint8_t *at = mmap(NULL, 4 * PAGE, PROT_READ | PROT_WRITE, flags, fd, 0);
	assert(at != MAP_FAILED);
	close(fd);
	return at;
}

static void parts(int flags, const char *kind)
{
	uint8_t *at = map_locked(flags);
	printf("%s\n", kind);
	say("closed");
	assert(munmap(at + PAGE, PAGE) == 0);
	say("a hole");
	at[0] = at[3 * PAGE] = 1;
	assert(mmap(at, PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == at);
	say("something else in its place");
	uint8_t *moved = mremap(at + 3 * PAGE, PAGE, 2 * PAGE, MREMAP_MAYMOVE);
	assert(moved != MAP_FAILED && moved[0] == 1);
	say("a part moved");
	assert(munmap(at + 2 * PAGE, PAGE) == 0 && mprotect(moved, PAGE, PROT_READ) == 0);
	say("that part only");
	assert(munmap(moved, 2 * PAGE) == 0);
	say("unmapped");
}

/* A child has its parent's mappings until it ends. */
static void children(void)
{
	char byte;
	int go[2], status;
	uint8_t *at = map_locked(MAP_SHARED);
	assert(pipe(go) == 0);
	pid_t child = fork();
	assert(child >= 0);
	if (!child) {
		close(go[1]);
		assert(read(go[0], &byte, 1) == 0);
		_exit(0);
	}
	assert(munmap(at, 4 * PAGE) == 0);
	say("a child's");
	close(go[1]);
	assert(waitpid(child, &status, 0) == child);
	say("no child's");
}

/* A child that ends with the last mapping lets go of the lock at once: nobody else has anything to do. */
static void end_of_holder(void)
{
	char byte;
	int ready[2], status;
	assert(pipe(ready) == 0);
	pid_t child = fork();
	assert(child >= 0);
	if (!child) {
		map_locked(MAP_SHARED);
		assert(write(ready[1], "x", 1) == 1);
		asleep_await(getppid());
		_exit(0);
	}
	int fd = open(path, O_RDWR);
	assert(fd >= 0 && read(ready[0], &byte, 1) == 1);
	assert(flock(fd, LOCK_EX | LOCK_NB) < 0 && errno == EWOULDBLOCK);
	printf("waited for: %d\n", flock(fd, LOCK_EX));
	close(fd);
	assert(waitpid(child, &status, 0) == child);
}

/* The same with a child that becomes another program, this one with an argument. */
static void other_program(void)
{
	char byte, self[] = "/proc/self/exe", descriptor[12];
	int ready[2], go[2], status;
	assert(pipe(ready) == 0 && pipe2(go, O_CLOEXEC) == 0);
	pid_t child = fork();
	assert(child >= 0);
	if (!child) {
		int kept = dup(go[0]);
		snprintf(descriptor, sizeof(descriptor), "%d", kept);
		map_locked(MAP_SHARED);
		assert(kept >= 0 && write(ready[1], "x", 1) == 1);
		asleep_await(getppid());
		execv(self, (char *[]){self, descriptor, NULL});
		_exit(1);
	}
	int fd = open(path, O_RDWR);
	assert(fd >= 0 && read(ready[0], &byte, 1) == 1);
	assert(flock(fd, LOCK_EX | LOCK_NB) < 0 && errno == EWOULDBLOCK);
	printf("waited for: %d", flock(fd, LOCK_EX));
	printf(", it goes on: %d\n", waitpid(child, &status, WNOHANG) == 0);
	close(fd);
	close(go[1]);
	assert(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

/* The neighbour in memory is of another open file. */
static void neighbours(void)
{
	int locked = open(path, O_RDWR), other = open(path, O_RDWR);
	assert(locked >= 0 && other >= 0 && flock(locked, LOCK_EX) == 0);
	uint8_t *at = mmap(NULL, 2 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert(at != MAP_FAILED);
	assert(mmap(at, PAGE, PROT_READ, MAP_SHARED | MAP_FIXED, other, 0) == at);
	assert(mmap(at + PAGE, PAGE, PROT_READ, MAP_SHARED | MAP_FIXED, locked, PAGE) == at + PAGE);
	close(locked);
	close(other);
	say("beside another's");
	assert(munmap(at, PAGE) == 0);
	say("without the other");
	assert(munmap(at + PAGE, PAGE) == 0);
	say("without both");
}

int main(int argc, char **argv)
{
	char byte;
	if (argc > 1)
		return (int)read(atoi(argv[1]), &byte, 1);
	int fd = mkstemp(path);
	assert(fd >= 0 && ftruncate(fd, 4 * PAGE) == 0);
	close(fd);
	say("nobody's");
	parts(MAP_SHARED, "shared");
	parts(MAP_PRIVATE, "private");
	children();
	end_of_holder();
	other_program();
	neighbours();
	unlink(path);
	return 0;
}
