/* SPDX-License-Identifier: MIT */
#include "cli/image/image_check.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/die.h"
#include "base/mapped_file.h"
#include "base/version.h"
#include "eri/eri_kernel.h"
#include "guest/program.h"
#include "pack/pack_step.h"

#define KERNEL_BYTES_MAX (1UL << 32)

/* The memory of all images. */
static struct {
	void *memory;
	size_t bytes;
} shared_with;

struct image_check_shared *image_check_share(unsigned count)
{
	shared_with.bytes = count * sizeof(struct image_check_shared);
	shared_with.memory = mmap(NULL, shared_with.bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	return shared_with.memory == MAP_FAILED ? NULL : shared_with.memory;
}

/* --- the kernel --- */

/* Whether the image's kernel, whose SHA-256 was checked, is the one beside this program. They are compared byte by
 * byte, which is faster than to hash the other one. Returns 1, 0, or a negative errno if that one cannot be read. */
static int is_own_kernel(const struct eri_image *image)
{
	static char path[PATH_MAX]; /* too large for a stack */
	char error[256];
	struct eri_block block;
	struct stat st;
	void *own = NULL;
	int result = program_linux_image(path);
	int fd = result ? -1 : open(path, O_RDONLY | O_CLOEXEC);
	if (!result && (fd < 0 || fstat(fd, &st)))
		result = -errno;
	if (!result && !eri_image_load(image, ERI_KERNEL, KERNEL_BYTES_MAX, NULL, &block, error)) {
		if ((uint64_t)st.st_size >= block.bytes && block.bytes)
			result = mapped_file(fd, 0, block.bytes, &own);
		if (own)
			result = !memcmp(own, block.data, block.bytes);
		if (own)
			mapped_file_close(own, block.bytes);
		free(block.copy);
	}
	if (fd >= 0)
		close(fd);
	return result;
}

/* Says whose kernel the image has. */
static void name_kernel(const struct eri_image *image, struct image_check_shared *shared)
{
	const struct eri_step *linux_step = NULL;
	unsigned native = 0;
	for (unsigned i = 0; i < image->manifest.step_count; i++) {
		const struct eri_step *step = &image->manifest.steps[i];
		native += !step->is_linux;
		linux_step = step->is_linux ? step : linux_step;
	}
	const struct eri_kernel *known = linux_step ? eri_kernel_find(linux_step->kernel_sha256) : NULL;
	const int is_own = linux_step && !known ? is_own_kernel(image) : 0;
	const char *also = native ? "; native programs have their own" : "";
	shared->is_known = !linux_step || known || is_own > 0;
	if (!linux_step)
		snprintf(shared->kernel, sizeof(shared->kernel),
		         "linked into the program by eremite-cc; trust it as you trust the program");
	else if (known)
		snprintf(shared->kernel, sizeof(shared->kernel), "of Eremite %s (%s)%s", known->version, known->commit,
		         also);
	else if (is_own > 0)
		snprintf(shared->kernel, sizeof(shared->kernel), "of Eremite %s (this build)%s", EREMITE_VERSION, also);
	else if (is_own < 0)
		snprintf(shared->kernel, sizeof(shared->kernel),
		         "unknown: it is of no release, and that of this build, lib/linux.image, cannot be read; "
		         "install "
		         "eremite in one piece%s",
		         also);
	else
		snprintf(shared->kernel, sizeof(shared->kernel),
		         "not one of Eremite's; trust it as you trust the program%s", also);
}

/* --- the process --- */

static _Noreturn void check_here(const struct eri_image *image, unsigned threads, struct image_check_shared *shared,
                                 pid_t parent)
{
	pack_run_follow(parent);
	shared->result = eri_check(image, threads, &shared->progress, shared->error);
	if (!shared->result)
		name_kernel(image, shared);
	__atomic_store_n(&shared->is_ended, true, __ATOMIC_RELEASE);
	_exit(0);
}

pid_t image_check_start(const struct eri_image *image, unsigned threads, struct image_check_shared *shared)
{
	pid_t parent = getpid();
	fflush(NULL);
	pid_t pid = fork();
	if (!pid)
		check_here(image, threads, shared, parent);
	if (pid < 0)
		return -errno;
	/* A run, which an image may have taken over, must not write the result. */
	if (!madvise(shared_with.memory, shared_with.bytes, MADV_DONTFORK))
		return pid;
	int result = -errno;
	kill(pid, SIGKILL);
	return result;
}

int image_check_end(pid_t pid, struct image_check_shared *shared)
{
	int status = 0;
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (__atomic_load_n(&shared->is_ended, __ATOMIC_ACQUIRE))
		return shared->result;
	return refuse(shared->error, EIO, "the process that checked its files was ended by signal %d",
	              WIFSIGNALED(status) ? WTERMSIG(status) : 0);
}
