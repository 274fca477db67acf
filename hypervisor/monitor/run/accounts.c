/* SPDX-License-Identifier: MIT */
/* Closes the accounts of a stopped guest. The guest is still untrusted: none of its requests is served, and its time is
 * limited. */
#include "run/accounts.h"

#include "abi/doorbell.h"
#include "abi/layout.h"
#include "run/watch.h"

/* The operations during which the kernel waits outside a scheduling decision. */
static const bool waits[DOORBELL_OPS] = {
#define WAITS(number, NAME, name, counter, waits, text) [number] = (waits),
	DOORBELL_LIST(WAITS)
#undef WAITS
};

bool accounts_can_be_closed(const struct image_header *image, const struct engine_exit *exit,
                            const struct engine_registers *registers)
{
	uint64_t rip = registers->general[ENGINE_RIP];
	if (exit->stop == ENGINE_INTERRUPTED)
		return rip < image->kernel_text || rip >= image->kernel_text_end;
	return exit->stop == ENGINE_DOORBELL && exit->doorbell_op < DOORBELL_OPS && waits[exit->doorbell_op];
}

bool accounts_close(const struct image_header *image, const struct engine_ops *ops, struct engine *engine)
{
	struct engine_registers registers = {.rflags = 0x202};
	struct engine_exit exit = {0};
	uint64_t limit = watch_now_ns() + ACCOUNTS_LIMIT_NS;
	registers.general[ENGINE_RIP] = image->close_accounts;
	registers.general[ENGINE_RSP] =
		LAYOUT_DIRECT_MAP + LAYOUT_SCHED_STACK_TOP - sizeof(uint64_t); /* as after a call instruction */
	if (ops->set_registers(engine, &registers))
		return false;
	do {
		ops->run(engine, &exit);
	} while (exit.stop == ENGINE_INTERRUPTED && watch_now_ns() < limit);
	return exit.stop == ENGINE_DOORBELL && exit.doorbell_op == DOORBELL_ACCOUNTS;
}
