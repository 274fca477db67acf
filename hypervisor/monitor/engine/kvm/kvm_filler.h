/* SPDX-License-Identifier: MIT */
/* Replaces blocks of contents by huge pages with the same bytes, in a second thread while the guest runs. The guest
 * reads the file's pages until then. */
#ifndef ENGINE_KVM_FILLER_H
#define ENGINE_KVM_FILLER_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A block to replace: `to` shows the file's bytes from `offset` on, and maybe zeros behind them. */
struct kvm_block {
	uint8_t *to;
	int file;
	uint64_t offset, bytes;
};

/** Zero-initialised: no thread. */
struct kvm_filler {
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	bool running;            /**< the thread exists */
	bool refused;            /**< it could not be started */
	bool end;                /**< under lock: the thread is to end */
	struct kvm_block *queue; /**< under lock, as all below; blocks are taken from `first` on */
	size_t first, count, room;
	uint8_t *spare,
		*spare_end; /**< aligned memory for the next blocks; of the thread, or of the caller without one */
};

/**
 * Replaces a block soon, or at once if no processor is free for the thread. The caller may close the file. A failure
 * only costs time.
 */
void kvm_filler_add(struct kvm_filler *filler, const struct kvm_block *block);

/** Ends the thread and frees everything except the blocks. Called before anything is unmapped. */
void kvm_filler_end(struct kvm_filler *filler);

#endif
