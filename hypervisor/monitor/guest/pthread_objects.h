/* SPDX-License-Identifier: MIT */
/* The objects of glibc's pthread.h in the memory of a Linux program, as nptl lays them out on x86-64 (struct_mutex.h,
 * struct_rwlock.h, descr.h), and the mutexes of musl. They are recognised by their contents, which are untrusted. */
#ifndef HYPERVISOR_PTHREAD_OBJECTS_H
#define HYPERVISOR_PTHREAD_OBJECTS_H

#include <stdint.h>

#include "guest/guest_memory.h"

enum pthread_object {
	PTHREAD_OBJECT_NONE,
	PTHREAD_OBJECT_MUTEX,
	PTHREAD_OBJECT_RWLOCK, /**< held by a writer */
	PTHREAD_OBJECT_THREAD, /**< waited for by pthread_join */
};

/**
 * Recognises the object that a futex belongs to. `seen` has the page tables of the process (linux_view_memory). Sets
 * *start to the object's address and *holder to the number of the thread that holds it, or that is waited for,
 * or to 0 for a mutex that does not say who holds it.
 */
enum pthread_object pthread_objects_recognise(const struct guest_memory *seen, uint64_t futex, uint64_t *start,
                                              uint32_t *holder);

#endif
