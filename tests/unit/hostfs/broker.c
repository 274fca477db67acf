/* SPDX-License-Identifier: MIT */
/* The monitor's own code serves requests of the kernel's. Guest-physical addresses are those of the direct map, which
 * the kernel's fakes choose so that it shows this process. */
#include "tests/unit/hostfs/broker.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "abi/doorbell.h"
#include "abi/layout.h"
#include "base/beside.h"
#include "base/digest.h"
#include "base/error.h"
#include "hostfs/host_ahead.h"
#include "hostfs/host_files.h"

#define ROOTS_MAX 4

static struct host_tree trees[ROOTS_MAX];
static unsigned tree_count;
static struct host_files files;
static const struct guest_memory memory = {.base = (uint8_t *)LAYOUT_DIRECT_MAP, .bytes = 1UL << 47};
static struct host_ahead ahead;
static uint8_t area[HOST_FILE_AHEAD_BYTES] __attribute__((aligned(PAGE_SIZE)));
unsigned broker_requests;

void (*doorbell_writes)(uint64_t address, uint64_t bytes);

int64_t doorbell_ring(enum doorbell_op op, uint64_t arg0, uint64_t arg1);

int64_t doorbell_ring(enum doorbell_op op, uint64_t arg0, uint64_t arg1)
{
	(void)arg1;
	if (op != DOORBELL_HOST_FILE)
		abort();
	broker_requests++;
	bool failed;
	int64_t answer = host_ahead_serve(&ahead, gpa(arg0), &failed);
	if (failed != (files.error.text[0] != 0))
		abort();
	return answer;
}

int64_t host_ahead_ask(enum host_file_op op, uint32_t handle, uint64_t buffer, uint64_t bytes);
int64_t host_request_send(enum host_file_op op, uint32_t handle, uint64_t buffer, uint64_t bytes);

/* The kernel's stacks are this process's, and nobody takes sums of them. */
int64_t host_request_send(enum host_file_op op, uint32_t handle, uint64_t buffer, uint64_t bytes)
{
	return host_ahead_ask(op, handle, buffer, bytes);
}

/* Also where there is one processor. */
bool beside_has_processor(void)
{
	return true;
}

bool beside_start(pthread_t *thread, void *(*function)(void *), void *argument)
{
	return !pthread_create(thread, NULL, function, argument);
}

uint64_t broker_area(void)
{
	return (uint64_t)area - LAYOUT_DIRECT_MAP;
}

void broker_expect(const struct broker_run *run)
{
	void *copy = malloc(run->bytes + 1);
	if (!copy)
		abort();
	memcpy(copy, run->list, run->bytes);
	if (host_asked_adopt(&ahead.before, copy, run->bytes))
		abort();
}

void broker_add(const char *host, const char *guest)
{
	trees[tree_count++] = (struct host_tree){.host = host, .guest = guest};
}

void broker_begin(void)
{
	struct error error;
	if (host_files_open(&files, trees, tree_count, &error) || host_files_begin(&files)) {
		fprintf(stderr, "%s%s\n", error.text, files.error.text);
		abort();
	}
	files.hash = true;
	host_ahead_begin(&ahead, &files, &memory, gpa(broker_area()));
}

static void add_objects(struct digest_sum *sum, const struct host_objects *objects)
{
	for (uint32_t i = 0; i < objects->count; i++) {
		const struct host_object *object = &objects->objects[i];
		digest_add(sum, &object->parent, sizeof(object->parent));
		digest_add(sum, &object->is_noted, sizeof(object->is_noted));
		digest_add(sum, objects->names + object->name, strlen(objects->names + object->name) + 1);
	}
	digest_add(sum, "", 1);
}

void broker_end(struct broker_run *run)
{
	struct digest_sum sum;
	uint8_t notes[DIGEST_BYTES];
	host_ahead_end(&ahead);
	host_notes_digest(&files.notes, files.run, notes);
	digest_begin(&sum);
	add_objects(&sum, &files.objects);
	add_objects(&sum, &files.absent);
	digest_add(&sum, notes, sizeof(notes));
	digest_end(&sum, run->sum);
	run->requests = broker_requests;
	run->bytes = ahead.now.used;
	if (run->bytes > sizeof(run->list))
		abort();
	memcpy(run->list, ahead.now.bytes, run->bytes);
}

const char *broker_error(void)
{
	return files.error.text;
}

int64_t broker_oracle(int root, const char *path, int follow, uint32_t *mode, uint64_t *size)
{
	struct open_how how = {.flags = (uint64_t)(O_PATH | (follow ? 0 : O_NOFOLLOW)), .resolve = RESOLVE_IN_ROOT};
	struct stat st;
	long fd;
	do /* while anybody renames or mounts anything, ".." may fail so: openat2(2) */
		fd = syscall(SYS_openat2, root, path, &how, sizeof(how));
	while (fd < 0 && errno == EAGAIN);
	if (fd < 0)
		return -errno;
	if (fstat((int)fd, &st))
		abort();
	close((int)fd);
	*mode = st.st_mode;
	*size = (uint64_t)st.st_size;
	return 0;
}
