/* SPDX-License-Identifier: MIT */
/* Stacks of threads. The top of a stack contains the thread's descriptor, _reent and thread-local storage.
 *
 * A stack is kept for the next thread that needs its size, and may be reused once the kernel has cleared the tid of the
 * earlier thread. Stacks are cut from reservations (PROT_NONE) for many of one size, which need no page table and leave
 * a guard below each stack. Free stacks are unmapped when memory is short or there are too many. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sysinfo.h>

#include "abi/layout.h"
#include "libc-port/src/kernel.h"
#include "libc-port/src/thread/thread.h"

#define RESERVED_STACKS 64
/* Added to the size that a program asks for, because the kernel uses the thread's stack, unlike on Linux. */
#define KERNEL_BYTES 8192
/* Minimum of bytes for the thread itself, and a size that no stack reaches. */
#define OWN_BYTES 2048
#define TOO_MANY_BYTES (1UL << 47)

/* Limits of free stacks: in bytes, as in glibc, and as a part of memory, because the kernel needs memory for pipes and
 * files. FREE_BYTES_LEAST applies until find_limit has asked for the size of memory. */
#define FREE_BYTES_MAX (40UL << 20)
#define FREE_PART 8
#define FREE_BYTES_LEAST (1UL << 20)

/* The top of a stack. The thread pointer points to the header. */
struct top {
	struct tls_header header;
	struct pthread thread;
	struct _reent reent;
};

/* Stacks of threads that have ended or are about to end: a list for each size, the newest stack first. */
static struct pthread *free_stacks;
static size_t free_bytes, free_bytes_max = FREE_BYTES_LEAST;

static size_t mapped_bytes;

/* The reservation from which stacks are cut. */
static struct {
	uintptr_t next, end;
	size_t room_bytes, guard_bytes;
} reservation;

static size_t round_up_stack(size_t n, size_t alignment)
{
	return (n + alignment - 1) & ~(alignment - 1);
}

static void nothing(struct _reent *)
{
}

/* newlib sets up stdio at each thread's first use. All threads share the main thread's streams. */
static void reent_init(struct _reent *reent)
{
	if (!_GLOBAL_REENT->__sdidinit) {
		void __sinit(struct _reent *);
		__sinit(_GLOBAL_REENT);
	}
	memset(reent, 0, sizeof(*reent));
	_REENT_INIT_PTR_ZEROED(reent);
	reent->__sdidinit = 1;
	reent->__cleanup = nothing;
}

/* Makes a thread's structures at the top of its stack. */
static struct pthread *build(uintptr_t stack, size_t room_bytes, size_t guard_bytes)
{
	struct top *top = (struct top *)((stack + room_bytes - sizeof(struct top)) & ~(tls_alignment() - 1));
	memset(&top->thread, 0, offsetof(struct pthread, values));
	tls_init(&top->header, &top->thread);
	reent_init(&top->reent);
	*(struct _reent **)tls_of(&top->header, &__eremite_reent) = &top->reent;
	top->thread.reent = &top->reent;
	top->thread.stack = (void *)stack;
	top->thread.room_bytes = room_bytes;
	top->thread.guard_bytes = guard_bytes;
	return &top->thread;
}

struct tls_header *thread_pointer(struct pthread *thread)
{
	return &((struct top *)((char *)thread - offsetof(struct top, thread)))->header;
}

/* Returns the link to the first free stack of a size, or the end of the list of sizes. */
static struct pthread **list_of(size_t room_bytes, size_t guard_bytes)
{
	struct pthread **first = &free_stacks;
	while (*first && ((*first)->room_bytes != room_bytes || (*first)->guard_bytes != guard_bytes))
		first = &(*first)->next_size;
	return first;
}

/* Removes the stack at `link` from its list, which begins at `first`. */
static void unlink_free(struct pthread **first, struct pthread **link)
{
	struct pthread *thread = *link;
	free_bytes -= thread->room_bytes;
	if (link != first)
		*link = thread->next_free;
	else if (thread->next_free) {
		thread->next_free->next_size = thread->next_size;
		*first = thread->next_free;
	} else {
		*first = thread->next_size;
	}
}

static void link_free(struct pthread *thread)
{
	struct pthread **first = list_of(thread->room_bytes, thread->guard_bytes);
	thread->next_free = *first;
	thread->next_size = *first ? (*first)->next_size : NULL;
	*first = thread;
	free_bytes += thread->room_bytes;
}

/* Takes a free stack of exactly these sizes. */
static bool take_free(size_t room_bytes, size_t guard_bytes, uintptr_t *stack)
{
	struct pthread **first = list_of(room_bytes, guard_bytes), **link = first;
	while (*link && (*link)->tid)
		link = &(*link)->next_free;
	if (!*link)
		return false;
	*stack = (uintptr_t)(*link)->stack;
	unlink_free(first, link);
	return true;
}

/* From 2 MiB on, stacks consist of whole 2 MiB pages, so their guards are rounded up to such pages. */
static size_t guard_room(size_t room_bytes, size_t guard_bytes)
{
	return room_bytes % BLOCK_SIZE ? guard_bytes : round_up_stack(guard_bytes, BLOCK_SIZE);
}

static bool unmap(uintptr_t from, uintptr_t to)
{
	return from < to && kcall_munmap((void *)from, to - from) == 0;
}

static bool reserve(size_t room_bytes, size_t guard_bytes, size_t count)
{
	size_t bytes = (room_bytes + guard_room(room_bytes, guard_bytes)) * count;
	long start = kcall_mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
	if (start < 0)
		return false;
	reservation.next = (uintptr_t)start;
	reservation.end = (uintptr_t)start + bytes;
	reservation.room_bytes = room_bytes;
	reservation.guard_bytes = guard_bytes;
	return true;
}

/* Maps a new stack. */
static bool map_stack(size_t room_bytes, size_t guard_bytes, uintptr_t *stack)
{
	size_t guard = guard_room(room_bytes, guard_bytes);
	bool fits = reservation.next < reservation.end && reservation.room_bytes == room_bytes &&
	            reservation.guard_bytes == guard_bytes;
	if (!fits && !reserve(room_bytes, guard_bytes, RESERVED_STACKS) && !reserve(room_bytes, guard_bytes, 1))
		return false;
	uintptr_t start = reservation.next;
	reservation.next += guard + room_bytes; /* before the call, at which another thread may run */
	*stack = start + guard;
	if (kcall_mprotect((void *)*stack, room_bytes, PROT_READ | PROT_WRITE) == 0) {
		mapped_bytes += room_bytes;
		return true;
	}
	if (reservation.next == *stack + room_bytes)
		reservation.next = start;
	else
		unmap(start, *stack + room_bytes);
	return false;
}

/* Removes a stack that can be unmapped from its list. Returns NULL if there is none. */
static struct pthread *take_any(void)
{
	for (struct pthread **first = &free_stacks; *first; first = &(*first)->next_size)
		for (struct pthread **link = first; *link; link = &(*link)->next_free)
			if (!(*link)->tid) {
				struct pthread *thread = *link;
				unlink_free(first, link);
				return thread;
			}
	return NULL;
}

/* Adjacent stacks, linked by next_free, which one call unmaps. */
struct range {
	uintptr_t from, to;
	struct pthread *stacks;
};

/* Unmaps a range. If that fails, moves its stacks to `left`. */
static bool unmap_range(struct range *range, struct pthread **left)
{
	if (unmap(range->from, range->to))
		return true;
	for (struct pthread *thread, *next = range->stacks; (thread = next);) {
		next = thread->next_free;
		thread->next_free = *left;
		*left = thread;
	}
	return false;
}

/* Unmaps at most RESERVED_STACKS stacks by one call. At a call another thread may run, and take stacks that are still
 * in the lists. */
__attribute__((cold)) bool thread_stack_release(void)
{
	bool any = false;
	struct range range = {0};
	struct pthread *left = NULL;
	unsigned count = 0;
	for (struct pthread *thread; (thread = take_any()); count++) {
		mapped_bytes -= thread->room_bytes;
		uintptr_t end = (uintptr_t)thread->stack + thread->room_bytes;
		uintptr_t start = (uintptr_t)thread->stack - guard_room(thread->room_bytes, thread->guard_bytes);
		thread->next_free = range.stacks;
		if (count % RESERVED_STACKS && end == range.from) {
			range.from = start;
		} else if (count % RESERVED_STACKS && start == range.to) {
			range.to = end;
		} else {
			thread->next_free = NULL;
			any |= unmap_range(&range, &left);
			range.from = start;
			range.to = end;
		}
		range.stacks = thread;
	}
	any |= unmap_range(&range, &left);
	for (struct pthread *next; left; left = next) {
		next = left->next_free;
		mapped_bytes += left->room_bytes;
		link_free(left);
	}
	return any;
}

/* Sets the limit by the size of memory, once stacks exceed the least limit. Images without threads do not need it. */
static void find_limit(void)
{
	struct sysinfo info;
	if (free_bytes_max != FREE_BYTES_LEAST || mapped_bytes <= FREE_BYTES_LEAST || sysinfo(&info))
		return;
	size_t part = info.totalram / FREE_PART;
	free_bytes_max = part < FREE_BYTES_MAX ? part : FREE_BYTES_MAX;
}

/* Returns the maximum size of a stack's top, with the kernel's part. */
static size_t extra_bytes(void)
{
	return KERNEL_BYTES + sizeof(struct top) + tls_bytes() + tls_alignment();
}

static int take_given(const pthread_attr_t *attributes, struct pthread **thread)
{
	uintptr_t stack = attributes->__stack_address;
	size_t bytes = attributes->__stack_size;
	if (bytes < extra_bytes() + OWN_BYTES || stack + bytes < stack)
		return EINVAL;
	*thread = build(stack, bytes, 0);
	(*thread)->stack_bytes = bytes;
	(*thread)->stack_is_given = true;
	return 0;
}

int thread_stack_take(const pthread_attr_t *attributes, struct pthread **thread)
{
	if (attributes->__stack_address)
		return take_given(attributes, thread);
	size_t bytes = attributes->__stack_size, guard = round_up_stack(attributes->__guard_size, PAGE_SIZE);
	if (guard < attributes->__guard_size || bytes + guard < bytes)
		return EINVAL;
	if (bytes + guard >= TOO_MANY_BYTES)
		return EAGAIN;
	size_t room = round_up_stack(bytes + extra_bytes(), PAGE_SIZE);
	if (bytes >= BLOCK_SIZE)
		room = round_up_stack(room, BLOCK_SIZE);
	uintptr_t stack;
	if (!take_free(room, guard, &stack) && !map_stack(room, guard, &stack) &&
	    !(thread_stack_release() && map_stack(room, guard, &stack)))
		return EAGAIN;
	find_limit();
	*thread = build(stack, room, guard);
	(*thread)->stack_bytes = bytes;
	return 0;
}

/* The stack may be the calling thread's, which is then about to end and must handle no more signals. */
void thread_stack_give(struct pthread *thread)
{
	const sigset_t all = ~0UL;
	if (thread->stack_is_given)
		return;
	link_free(thread);
	if (__builtin_expect(free_bytes <= free_bytes_max, 1))
		return;
	if (thread == thread_self())
		kcall_rt_sigprocmask(SIG_SETMASK, &all, NULL, sizeof(all));
	thread_stack_release();
}
