/* SPDX-License-Identifier: MIT */
/* Thread-local storage, variant II (the ELF TLS specification, x86-64): the block lies below the thread pointer. */
#ifndef LIBC_PORT_TLS_H
#define LIBC_PORT_TLS_H

#include <stddef.h>

/** What the thread pointer points at. The compiler knows self (offset 0) and canary (offset 0x28). */
struct tls_header {
	struct tls_header *self;
	void *reserved[4];
	unsigned long canary;
	void *thread; /**< the thread's descriptor, once there are threads */
	void *spare;
};

/** Bytes that a thread's block and header take, and their alignment. */
size_t tls_bytes(void);
size_t tls_alignment(void);

/** Builds a block in fresh, zeroed memory of tls_bytes() at that alignment. */
struct tls_header *tls_init(void *memory);

/** The main thread's block. It needs no allocator, because none runs before it. */
struct tls_header *tls_create_main(void);

/** Makes a block the calling thread's. */
void tls_set_pointer(struct tls_header *header);

#endif
