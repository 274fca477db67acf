/* SPDX-License-Identifier: MIT */
/* Clearing and copying 2 MiB takes up to a millisecond. A dynamic linker reads the tables of a library only when it has
 * mapped all libraries, so the thread is nearly always ahead of it. */
#include "engine/kvm/kvm_filler.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "abi/layout.h"
#include "base/array.h"
#include "base/beside.h"
#include "base/jitter.h"
#include "guest/host_memory.h"

/* Memory is reserved for so many blocks at once. */
#define SPARE_BYTES (16 * BLOCK_SIZE)

/* A fault maps at most 64 KiB of small pages, so these bytes take two faults if the pages are small. */
#define PROBE_BYTES 0x20000UL

/* Whether the page cache keeps a block in one folio, which one fault maps. What the guest has touched is unmapped
 * first, because it would take no fault. */
static bool is_folio(uint8_t *block)
{
	struct rusage before, after;
	uint8_t *probe = block + BLOCK_SIZE - PROBE_BYTES;
	if (madvise(probe, PROBE_BYTES, MADV_DONTNEED) || getrusage(RUSAGE_THREAD, &before) ||
	    madvise(probe, PROBE_BYTES, MADV_POPULATE_READ) || getrusage(RUSAGE_THREAD, &after))
		return false;
	return after.ru_minflt - before.ru_minflt + after.ru_majflt - before.ru_majflt == 1;
}

static uint8_t *take_spare(struct kvm_filler *filler)
{
	if (filler->spare == filler->spare_end) {
		filler->spare = host_memory_blocks(SPARE_BYTES, PROT_READ | PROT_WRITE);
		filler->spare_end = filler->spare ? filler->spare + SPARE_BYTES : NULL;
		if (!filler->spare)
			return NULL;
		madvise(filler->spare, SPARE_BYTES, MADV_HUGEPAGE);
		madvise(filler->spare, SPARE_BYTES, MADV_DONTFORK);
	}
	filler->spare += BLOCK_SIZE;
	return filler->spare - BLOCK_SIZE;
}

/* Reads a block elsewhere and moves the copy to its place, so that the guest never sees it unfinished. If the move
 * fails after the place is free, KVM reports that the guest's memory is lost. To map the file's pages and copy them
 * would cost half as much again. */
static void fill_block(struct kvm_filler *filler, const struct kvm_block *block)
{
	uint8_t *copy = block->bytes == BLOCK_SIZE && is_folio(block->to) ? NULL : take_spare(filler);
	ssize_t bytes = -1;
	if (copy) {
		host_memory_touch(copy);
		bytes = pread(block->file, copy, block->bytes, (off_t)block->offset);
	}
	if (bytes > 0 && (uint64_t)bytes + PAGE_SIZE > block->bytes) /* the file may end in the last page */
		mremap(copy, BLOCK_SIZE, BLOCK_SIZE, MREMAP_MAYMOVE | MREMAP_FIXED, block->to);
	close(block->file);
}

static void *fill_all(void *argument)
{
	struct kvm_filler *filler = argument;
	pthread_mutex_lock(&filler->lock);
	while (!filler->end) {
		if (filler->first == filler->count) {
			pthread_cond_wait(&filler->changed, &filler->lock);
			continue;
		}
		const struct kvm_block block = filler->queue[filler->first++];
		pthread_mutex_unlock(&filler->lock);
		jitter_stall();
		fill_block(filler, &block);
		pthread_mutex_lock(&filler->lock);
	}
	pthread_mutex_unlock(&filler->lock);
	return NULL;
}

static bool start_filler(struct kvm_filler *filler)
{
	pthread_mutex_init(&filler->lock, NULL);
	pthread_cond_init(&filler->changed, NULL);
	filler->running = beside_start(&filler->thread, fill_all, filler);
	filler->refused = !filler->running;
	return filler->running;
}

static bool is_running(struct kvm_filler *filler)
{
	return filler->running || (!filler->refused && start_filler(filler));
}

/* Whether a block was added before. Unmapping a part of it (is_folio) would lose the copy. */
static bool is_known(const struct kvm_filler *filler, const struct kvm_block *block)
{
	for (size_t i = 0; i < filler->count; i++)
		if (filler->queue[i].to == block->to)
			return true;
	return false;
}

/* Returns whether it was added. */
static bool enqueue(struct kvm_filler *filler, const struct kvm_block *block)
{
	pthread_mutex_lock(&filler->lock);
	const bool fits = !is_known(filler, block) && array_reserve(filler->queue, filler->room, filler->count + 1);
	if (fits) {
		filler->queue[filler->count++] = *block;
		pthread_cond_signal(&filler->changed);
	}
	pthread_mutex_unlock(&filler->lock);
	return fits;
}

void kvm_filler_add(struct kvm_filler *filler, const struct kvm_block *block)
{
	struct kvm_block own = *block;
	const bool is_beside = is_running(filler);
	own.file = fcntl(block->file, F_DUPFD_CLOEXEC, 0);
	if (own.file < 0)
		return;
	if (!enqueue(filler, &own))
		close(own.file);
	else if (!is_beside)
		fill_block(filler, &filler->queue[filler->first++]);
}

void kvm_filler_end(struct kvm_filler *filler)
{
	if (filler->running) {
		pthread_mutex_lock(&filler->lock);
		filler->end = true;
		pthread_cond_signal(&filler->changed);
		pthread_mutex_unlock(&filler->lock);
		pthread_join(filler->thread, NULL);
	}
	if (filler->running || filler->refused) {
		pthread_cond_destroy(&filler->changed);
		pthread_mutex_destroy(&filler->lock);
	}
	for (size_t i = filler->first; i < filler->count; i++)
		close(filler->queue[i].file);
	if (filler->spare != filler->spare_end)
		munmap(filler->spare, (size_t)(filler->spare_end - filler->spare));
	free(filler->queue);
	*filler = (struct kvm_filler){0};
}
