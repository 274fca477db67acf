/* SPDX-License-Identifier: MIT */
/* The monitor sends a file before it adds a content of it to the plan. */
#include "engine/process/stub/contents.h"

#include <sys/socket.h>
#include <sys/syscall.h>

#include "engine/process/stub/data.h"
#include "engine/process/stub/system.h"

/* Takes the next file. Returns false if none came. */
static bool take_file(void)
{
	char byte;
	union {
		char bytes[CMSG_SPACE(sizeof(int))];
		struct cmsghdr head;
	} control;
	struct iovec part = {&byte, 1};
	struct msghdr message;
	stub_clear(&message, sizeof(message));
	message.msg_iov = &part;
	message.msg_iovlen = 1;
	message.msg_control = &control;
	message.msg_controllen = sizeof(control);
	long got = stub_call3(SYS_recvmsg, DATA->head.contents, &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
	uint32_t at = CHANNEL->contents_taken;
	if (got != 1 || message.msg_controllen < CMSG_LEN(sizeof(int)) || at >= PLAN_CONTENTS)
		return false;
	stub_copy(&CHANNEL->content_files[at], CMSG_DATA(&control.head), sizeof(int));
	CHANNEL->contents_taken = at + 1;
	return true;
}

void contents_take(void)
{
	while (CHANNEL->contents_taken < PLAN->content_files && take_file())
		;
}

bool contents_find(uint64_t physical, struct plan_region *found)
{
	uint32_t low = 0, high = __atomic_load_n(&PLAN->content_count, __ATOMIC_ACQUIRE);
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (PLAN->contents[middle].address <= physical)
			low = middle + 1;
		else
			high = middle;
	}
	const struct plan_content *content = &PLAN->contents[low ? low - 1 : 0];
	if (!low || physical - content->address >= content->bytes)
		return false;
	if (content->file >= PLAN_CONTENTS)
		stub_die();
	while (CHANNEL->contents_taken <= content->file)
		if (!take_file())
			return false;
	*found = (struct plan_region){.address = content->address,
	                              .bytes = content->bytes,
	                              .offset = content->offset,
	                              .file = CHANNEL->content_files[content->file]};
	return true;
}
