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
	void *thread; /**< the thread's descriptor (thread.h) */
	void *spare;
};

/* The names of this file for the linker: programs may use their own (thread.h). */
#define TLS_PRIVATE(name) __asm__("__eremite_" #name)

/** Bytes that a thread's block takes below its header, and the header's alignment. */
size_t tls_bytes(void) TLS_PRIVATE(tls_bytes);
size_t tls_alignment(void) TLS_PRIVATE(tls_alignment);

/** Fills header and block, whatever the memory held before. */
void tls_init(struct tls_header *header, void *thread) TLS_PRIVATE(tls_init);

/** The main thread's block. It needs no allocator, because none runs before it. */
struct tls_header *tls_create_main(void *thread) TLS_PRIVATE(tls_create_main);

/** Where an address of the calling thread's block, which is `variable`, is in another thread's. */
void *tls_of(struct tls_header *header, void *variable) TLS_PRIVATE(tls_of);

/** Makes a block the calling thread's. */
void tls_set_pointer(struct tls_header *header) TLS_PRIVATE(tls_set_pointer);

#endif
