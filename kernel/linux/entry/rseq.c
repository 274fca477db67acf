/* SPDX-License-Identifier: MIT */
/* A thread is interrupted at a `pause`, at a point of --preempt, and by handlers. System calls in such a sequence are
 * not allowed. */
#include "kernel/linux/entry/rseq.h"

#include <stddef.h>

#include "abi/errno.h"
#include "abi/linux_signal.h"
#include "kernel/arch/uaccess.h"
#include "kernel/linux/patch/stub.h"
#include "kernel/linux/signal/deliver.h"
#include "kernel/signal/signal.h"
#include "kernel/sys/sys.h"

#define RSEQ_UNREGISTER 1U
#define NO_PROCESSOR UINT32_MAX

/* struct rseq of linux/rseq.h, as of Linux 6.1. */
struct area {
	uint32_t processor_start, processor;
	uint64_t section;
	uint32_t flags;
	uint32_t padding[3];
};

/* struct rseq_cs. */
struct section {
	uint32_t version, flags;
	uint64_t start, bytes, abort;
};

static int tell_processor(struct area *area, uint32_t start, uint32_t processor)
{
	const uint32_t both[2] = {start, processor};
	return copy_to_user(&area->processor_start, both, sizeof(both));
}

void rseq_tell_processor(void)
{
	uint32_t processor = thread_processor(thread_current);
	thread_current->rseq_processor = processor;
	tell_processor((struct area *)thread_current->rseq, processor, processor);
}

void rseq_moved(void)
{
	rseq_resumed();
}

/* Whether a sequence is valid, and its abort handler carries the signature. */
static bool is_sound(const struct section *section)
{
	uint32_t signature;
	return !section->version && section->start + section->bytes >= section->start &&
	       section->abort - section->start >= section->bytes &&
	       !copy_from_user(&signature, (const void *)(section->abort - sizeof(signature)), sizeof(signature)) &&
	       signature == thread_current->rseq_signature;
}

void rseq_interrupted(struct trap_frame *frame)
{
	struct area *area = (struct area *)thread_current->rseq;
	struct section section;
	const uint64_t none = 0;
	uint64_t at;
	if (!area)
		return;
	if (copy_from_user(&at, &area->section, sizeof(at)))
		at = 1; /* an address at which there is no section */
	if (!at)
		return;
	bool known = !copy_from_user(&section, (const void *)at, sizeof(section)) && is_sound(&section) &&
	             !copy_to_user(&area->section, &none, sizeof(none));
	if (!known)
		deliver_die_at(frame, LINUX_SIGSEGV, "the restartable sequence (rseq) of the program is not valid");
	if (stub_original(frame->rip) - section.start < section.bytes)
		frame->rip = section.abort;
}

static long unregister(struct area *area, uint32_t bytes, uint32_t signature)
{
	if (!area || thread_current->rseq != (uint64_t)area || bytes != sizeof(*area))
		return -EINVAL;
	if (signature != thread_current->rseq_signature)
		return -EPERM;
	if (tell_processor(area, 0, NO_PROCESSOR))
		return -EFAULT;
	thread_current->rseq = 0;
	return 0;
}

long sys_rseq(void *address, unsigned int bytes, int flags, unsigned int signature)
{
	struct area *area = address;
	if (flags == RSEQ_UNREGISTER)
		return unregister(area, bytes, signature);
	if (flags)
		return -EINVAL;
	if (thread_current->rseq) {
		if (thread_current->rseq != (uint64_t)area || bytes != sizeof(*area))
			return -EINVAL;
		return signature == thread_current->rseq_signature ? -EBUSY : -EPERM;
	}
	if ((uint64_t)area % sizeof(*area) || bytes != sizeof(*area))
		return -EINVAL;
	uint32_t processor = thread_processor(thread_current);
	if (tell_processor(area, processor, processor))
		return -EFAULT;
	thread_current->rseq = (uint64_t)area;
	thread_current->rseq_signature = signature;
	thread_current->rseq_processor = processor;
	return 0;
}
