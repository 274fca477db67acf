/* SPDX-License-Identifier: MIT */
/* Stacks of threads. At a stack's top lie the thread's descriptor and _reent and its thread-local storage.
 *
 * A stack is kept for the next thread that wants one of its size, and is ready for it when the kernel has cleared the
 * tid of the thread before. Stacks of a size are cut from reservations (PROT_NONE) of many, which cost no page table
 * and leave a guard below each; they are unmapped when memory is short, and when there are too many. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sysinfo.h>

#include "abi/layout.h"
#include "libc-port/src/kernel.h"
#include "libc-port/src/thread.h"

#define RESERVED_STACKS 64
/* Beside what a program asks for: on Linux the kernel has stacks of its own, and here it takes the thread's. */
#define KERNEL_BYTES 8192
/* The least that a stack must have for the thread's own use, and no stack is of so many bytes. */
#define OWN_BYTES 2048
#define TOO_MANY_BYTES (1UL << 47)

/* How much may lie in stacks that no thread has, as with glibc, and which part of memory at most: the kernel needs
 * some, too, for pipes and files. With the least, nobody asks how much there is. */
#define FREE_BYTES_MAX (40UL << 20)
#define FREE_PART 8
#define FREE_BYTES_LEAST (1UL << 20)

/* What is at the top; the header is where the thread pointer points. */
struct top {
	struct tls_header header;
	struct pthread thread;
	struct _reent reent;
};

/* Stacks of ended threads, or of such that are about to end: a list for each size, the last one given first. */
static struct pthread *free_stacks;
static size_t free_bytes, free_bytes_max = FREE_BYTES_LEAST;

static size_t mapped_bytes;

/* The reservation that stacks are cut from. */
static struct {
	uintptr_t next, end;
	size_t room_bytes, guard_bytes;
} reservation;

static size_t round_up(size_t n, size_t alignment)
{
	return (n + alignment - 1) & ~(alignment - 1);
}

static void nothing(struct _reent *reent)
{
	(void)reent;
}

/* newlib sets up stdio at the first use by each thread, all of which share the main thread's streams. */
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

/* Makes a thread's things at the top of its stack. */
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

/* Where the first free stack of a size is linked; the end of the list when there is none. */
static struct pthread **list_of(size_t room_bytes, size_t guard_bytes)
{
	struct pthread **first = &free_stacks;
	while (*first && ((*first)->room_bytes != room_bytes || (*first)->guard_bytes != guard_bytes))
		first = &(*first)->next_size;
	return first;
}

/* Takes a stack out of its list; `link` points to it, `first` is where the list begins. */
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

/* A stack of just these sizes that no thread has. */
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

/* From 2 MiB on, stacks are of whole 2 MiB pages, and so are their guards, of which only the end is wanted. */
static size_t guard_room(size_t room_bytes, size_t guard_bytes)
{
	return room_bytes % BLOCK_SIZE ? guard_bytes : round_up(guard_bytes, BLOCK_SIZE);
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

/* A stack that no thread ever had. */
static bool map(size_t room_bytes, size_t guard_bytes, uintptr_t *stack)
{
	size_t guard = guard_room(room_bytes, guard_bytes);
	bool fits = reservation.next < reservation.end && reservation.room_bytes == room_bytes &&
	            reservation.guard_bytes == guard_bytes;
	if (!fits && !reserve(room_bytes, guard_bytes, RESERVED_STACKS) && !reserve(room_bytes, guard_bytes, 1))
		return false;
	uintptr_t start = reservation.next;
	reservation.next += guard + room_bytes; /* first, because another thread may run at the call */
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

/* Some stack that can be unmapped, taken out of its list; NULL: there is none. */
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

/* Stacks side by side, linked by next_free, that go by one call. */
struct range {
	uintptr_t from, to;
	struct pthread *stacks;
};

/* Those that cannot be unmapped are moved to `left`. */
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

/* Not more than RESERVED_STACKS by one call: another thread may run at it, and take what is still in the lists. */
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

/* Asks how much memory there is, once it matters: here, so that images without threads need not know. */
static void find_limit(void)
{
	struct sysinfo info;
	if (free_bytes_max != FREE_BYTES_LEAST || mapped_bytes <= FREE_BYTES_LEAST || sysinfo(&info))
		return;
	size_t part = info.totalram / FREE_PART;
	free_bytes_max = part < FREE_BYTES_MAX ? part : FREE_BYTES_MAX;
}

/* What a stack's top takes at most. */
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
	size_t bytes = attributes->__stack_size, guard = round_up(attributes->__guard_size, PAGE_SIZE);
	if (guard < attributes->__guard_size || bytes + guard < bytes)
		return EINVAL;
	if (bytes + guard >= TOO_MANY_BYTES)
		return EAGAIN;
	size_t room = round_up(bytes + extra_bytes(), PAGE_SIZE);
	if (bytes >= BLOCK_SIZE)
		room = round_up(room, BLOCK_SIZE);
	uintptr_t stack;
	if (!take_free(room, guard, &stack) && !map(room, guard, &stack) &&
	    !(thread_stack_release() && map(room, guard, &stack)))
		return EAGAIN;
	find_limit();
	*thread = build(stack, room, guard);
	(*thread)->stack_bytes = bytes;
	return 0;
}

/* The calling thread may be the one whose stack this is: then it is about to end, and handles no signal any more. */
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
