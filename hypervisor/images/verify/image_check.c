/* SPDX-License-Identifier: MIT */
#include "verify/image_check.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/child.h"
#include "base/die.h"
#include "base/error.h"
#include "base/mapped_file.h"
#include "base/version.h"
#include "eri/eri_kernel.h"
#include "base/digest.h"
#include "guest/image.h"
#include "guest/program.h"

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

/* The bytes of a kernel that a run loads. Behind them are symbols, which decide nothing. An image has them there if
 * they were not beside the kernel of the eremite that made it, as in the packages of 0.9.0. */
struct loaded {
	void *data; /* NULL: there are none */
	uint64_t bytes;
	int fd; /* owned */
};

static void open_loaded(struct loaded *loaded, const char *path, int fd)
{
	struct error error;
	*loaded = (struct loaded){.fd = fd};
	if (fd >= 0 && !image_loaded_bytes(&(struct image_source){.path = path, .fd = fd}, &loaded->bytes, &error) &&
	    mapped_file(fd, 0, loaded->bytes, &loaded->data))
		loaded->data = NULL;
}

static void close_loaded(const struct loaded *loaded)
{
	if (loaded->data)
		mapped_file_close(loaded->data, loaded->bytes);
	if (loaded->fd >= 0)
		close(loaded->fd);
}

static const struct eri_kernel *find_release(const struct loaded *loaded)
{
	char text[DIGEST_TEXT_BYTES];
	uint8_t hash[DIGEST_BYTES];
	struct digest_sum sum;
	if (!loaded->data)
		return NULL;
	digest_begin(&sum);
	digest_add(&sum, loaded->data, loaded->bytes);
	digest_end(&sum, hash);
	digest_text(hash, text);
	return eri_kernel_find(strchr(text, ':') + 1);
}

/* Whether a kernel is the one beside this program. They are compared byte by byte, which is faster than to hash the
 * other one. Returns 1, 0, or a negative errno if that one cannot be read. */
static int is_own_kernel(const struct loaded *loaded)
{
	static char path[PATH_MAX]; /* too large for a stack */
	struct loaded own;
	int result = program_linux_image(path);
	const int fd = result ? -1 : open(path, O_RDONLY | O_CLOEXEC);
	if (!result && fd < 0)
		result = -errno;
	if (result)
		return result;
	open_loaded(&own, path, fd);
	result = !own.data ? -EIO
	                   : loaded->data && own.bytes == loaded->bytes && !memcmp(own.data, loaded->data, own.bytes);
	close_loaded(&own);
	return result;
}

/* Finds out whose kernel the steps of Linux programs have; its SHA-256 was checked. Returns its release, or NULL with
 * *is_own as of is_own_kernel. */
static const struct eri_kernel *know_kernel(const struct eri_image *image, const char *sha256, int *is_own)
{
	struct error error;
	struct loaded loaded;
	const struct eri_kernel *known = eri_kernel_find(sha256);
	if (known)
		return known;
	open_loaded(&loaded, image->path, eri_image_memfd(image, ERI_KERNEL, sha256, &error));
	known = find_release(&loaded);
	*is_own = known ? 0 : is_own_kernel(&loaded);
	close_loaded(&loaded);
	return known;
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
	int is_own = 0;
	const struct eri_kernel *known = linux_step ? know_kernel(image, linux_step->kernel_sha256, &is_own) : NULL;
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
	child_follow(parent);
	shared->result = eri_check(image, threads, &shared->progress, &shared->error);
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
	return error_set(&shared->error, EIO, "the process that checked its files was ended by signal %d",
	                 WIFSIGNALED(status) ? WTERMSIG(status) : 0);
}
