/* SPDX-License-Identifier: MIT */
/* natively: root */
/* /dev/shm, by way of shm_open(3) and sem_open(3), among processes. */
#include <fcntl.h>
#include <semaphore.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/guest/say.h"

static void directory(void)
{
	struct stat st;
	struct statfs fs;
	SAY(stat("/dev/shm", &st));
	printf("mode %o\n", st.st_mode);
	SAY(statfs("/dev/shm", &fs));
	printf("type %lx\n", (long)fs.f_type);
	SAY(rmdir("/dev/shm"));
}

static void shared_memory(void)
{
	int fd = shm_open("/eremite-test", O_RDWR | O_CREAT | O_EXCL, 0600);
	SAY(fd >= 0);
	SAY(shm_open("/eremite-test", O_RDWR | O_CREAT | O_EXCL, 0600));
	SAY(ftruncate(fd, 8192));
	int *at = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (!fork()) {
		int again = shm_open("/eremite-test", O_RDWR, 0);
		int *other = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, again, 0);
		other[1] = 42;
		_exit(other[0] = 7);
	}
	int status;
	SAY(wait(&status) > 0);
	printf("%d %d %x\n", at[0], at[1], status);
	SAY(shm_unlink("/eremite-test"));
	SAY(shm_unlink("/eremite-test"));
	printf("%d\n", at[1]);
}

static void semaphore(void)
{
	sem_t *ping = sem_open("/eremite-ping", O_CREAT | O_EXCL, 0600, 0);
	sem_t *pong = sem_open("/eremite-pong", O_CREAT | O_EXCL, 0600, 0);
	SAY(ping != SEM_FAILED);
	SAY(pong != SEM_FAILED);
	if (!fork()) {
		sem_t *in = sem_open("/eremite-ping", 0), *out = sem_open("/eremite-pong", 0);
		for (int i = 0; i < 20; i++) {
			sem_wait(in);
			sem_post(out);
		}
		_exit(0);
	}
	for (int i = 0; i < 20; i++) {
		sem_post(ping);
		sem_wait(pong);
	}
	SAY(wait(NULL) > 0);
	SAY(sem_unlink("/eremite-ping"));
	SAY(sem_unlink("/eremite-pong"));
	SAY(sem_open("/eremite-pong", 0) == SEM_FAILED);
}

int main(void)
{
	directory();
	shared_memory();
	semaphore();
	return 0;
}
