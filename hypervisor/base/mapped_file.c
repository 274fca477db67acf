/* SPDX-License-Identifier: MIT */
/* The handler of SIGBUS runs in any thread, so entries of the table are read and written atomically. */
#include "base/mapped_file.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#define FILES_MAX MAPPED_FILES_MAX
#define PAGE 4096UL

static struct {
	uintptr_t start, end; /* end is 0 in a free entry */
	bool is_cut;
} files[FILES_MAX];

static void *zeros(uintptr_t from, uintptr_t to)
{
	return mmap((void *)from, to - from, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
}

/* Replaces the file from the missing page on by zeros. */
static void handle_bus_error(int sig, siginfo_t *info, void *context)
{
	const uintptr_t at = (uintptr_t)info->si_addr;
	const int kept = errno;
	(void)context;
	for (unsigned i = 0; i < FILES_MAX; i++) {
		const uintptr_t end = __atomic_load_n(&files[i].end, __ATOMIC_ACQUIRE);
		if (info->si_code != BUS_ADRERR || at < files[i].start || at >= end)
			continue;
		__atomic_store_n(&files[i].is_cut, true, __ATOMIC_RELEASE);
		if (zeros(at & ~(PAGE - 1), end) == MAP_FAILED)
			break;
		errno = kept;
		return;
	}
	signal(sig, SIG_DFL); /* the access is repeated, and ends the process */
}

static unsigned find_mapped(const void *data)
{
	unsigned i = 0;
	while (i < FILES_MAX && (!files[i].end || files[i].start != (uintptr_t)data))
		i++;
	return i;
}

int mapped_file(int fd, off_t offset, size_t bytes, void **data)
{
	const struct sigaction action = {.sa_sigaction = handle_bus_error, .sa_flags = SA_SIGINFO | SA_RESTART};
	unsigned i = 0;
	while (i < FILES_MAX && files[i].end)
		i++;
	if (i == FILES_MAX)
		return -ENFILE;
	*data = mmap(NULL, bytes, PROT_READ, MAP_PRIVATE, fd, offset);
	if (*data == MAP_FAILED)
		return -errno;
	files[i].start = (uintptr_t)*data;
	files[i].is_cut = false;
	__atomic_store_n(&files[i].end, (uintptr_t)*data + bytes, __ATOMIC_RELEASE);
	sigaction(SIGBUS, &action, NULL);
	return 0;
}

bool mapped_file_is_whole(const void *data)
{
	unsigned i = find_mapped(data);
	return i == FILES_MAX || !__atomic_load_n(&files[i].is_cut, __ATOMIC_ACQUIRE);
}

bool mapped_file_is_same(const struct stat *was, const struct stat *now)
{
	return now->st_dev == was->st_dev && now->st_ino == was->st_ino && now->st_size == was->st_size &&
	       !memcmp(&now->st_mtim, &was->st_mtim, sizeof(now->st_mtim)) &&
	       !memcmp(&now->st_ctim, &was->st_ctim, sizeof(now->st_ctim));
}

bool mapped_file_is_unchanged(const struct mapped_source *source)
{
	struct stat now;
	return mapped_file_is_whole(source->data) && !fstat(source->fd, &now) &&
	       mapped_file_is_same(&source->was, &now);
}

void mapped_file_close(void *data, size_t bytes)
{
	unsigned i = find_mapped(data);
	if (i < FILES_MAX)
		__atomic_store_n(&files[i].end, 0, __ATOMIC_RELEASE);
	munmap(data, bytes);
}
