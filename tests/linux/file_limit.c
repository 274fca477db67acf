/* SPDX-License-Identifier: MIT */
/* RLIMIT_FSIZE: what is written up to the limit, the error and the signal beyond it, for each way to make a file
 * larger, and what may be done with a file that is larger already. */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int signals;
static int file;
static FILE *told; /* standard output may be a file, too */

static void on_signal(int sig)
{
	(void)sig;
	signals++;
}

static void tell(const char *what, long result)
{
	struct stat st;
	int error = errno;
	fstat(file, &st);
	fprintf(told, "%s: %ld %s, %d signals, size %ld\n", what, result, result < 0 ? strerrorname_np(error) : "",
	        signals, (long)st.st_size);
	signals = 0;
}

static void limit(rlim_t bytes)
{
	struct rlimit wanted;
	getrlimit(RLIMIT_FSIZE, &wanted);
	wanted.rlim_cur = bytes;
	assert(!setrlimit(RLIMIT_FSIZE, &wanted));
}

int main(void)
{
	static char data[8192], *text;
	size_t bytes;
	char name[] = "/tmp/file_limit.XXXXXX";
	const struct iovec pieces[] = {{data, 60}, {data, 60}};
	int status;
	file = mkstemp(name);
	told = open_memstream(&text, &bytes);
	assert(file >= 0 && told);
	signal(SIGXFSZ, on_signal);
	limit(100);
	tell("write", write(file, data, 40));
	tell("up to the limit", write(file, data, 100));
	tell("beyond", write(file, data, 1));
	tell("nothing", write(file, data, 0));
	tell("pwrite", pwrite(file, data, 50, 90));
	tell("pwrite beyond", pwrite(file, data, 50, 5000));
	tell("inside", pwrite(file, data, 50, 10));
	lseek(file, 0, SEEK_SET);
	tell("writev", writev(file, pieces, 2));
	tell("ftruncate", ftruncate(file, 101));
	tell("truncate", truncate(name, 5000));
	tell("smaller", ftruncate(file, 10));
	tell("fallocate", posix_fallocate(file, 0, 200));
	tell("fallocate", fallocate(file, 0, 0, 80));
	limit(8000);
	tell("larger", ftruncate(file, 5000));
	limit(100);
	tell("large: inside", pwrite(file, data, 50, 10));
	tell("large: beyond", pwrite(file, data, 50, 1000));
	tell("large: smaller", ftruncate(file, 4000));
	fcntl(file, F_SETFL, O_APPEND);
	tell("large: append", write(file, data, 10));
	int other = open(name, O_RDONLY);
	ftruncate(file, 50);
	off_t to = 90;
	tell("copy_file_range", copy_file_range(other, &(off_t){0}, file, &to, 50, 0));
	fcntl(file, F_SETFL, 0);
	to = 90;
	tell("copy_file_range", copy_file_range(other, &(off_t){0}, file, &to, 50, 0));
	int memory = memfd_create("m", 0);
	tell("memfd", ftruncate(memory, 4096));
	char *shared = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	tell("shared memory", shared == MAP_FAILED);
	int ends[2];
	assert(!pipe(ends));
	tell("pipe", write(ends[1], data, 2000));
	if (!fork()) {
		signal(SIGXFSZ, SIG_DFL);
		write(file, data, 8192);
		lseek(file, 100, SEEK_SET);
		write(file, data, 1);
		_exit(0);
	}
	assert(wait(&status) > 0);
	fprintf(told, "signal %d\n", WTERMSIG(status));
	limit(RLIM_INFINITY);
	tell("without", pwrite(file, data, 8192, 0));
	unlink(name);
	fclose(told);
	return fwrite(text, 1, bytes, stdout) != bytes;
}
