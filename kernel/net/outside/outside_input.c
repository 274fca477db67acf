/* SPDX-License-Identifier: MIT */
/* Standard input as events of the outside: with --record, --replay, and with --tty and a network. */
#include "abi/boot.h"
#include "abi/layout.h"
#include "abi/network.h"
#include "kernel/arch/direct_map.h"
#include "kernel/dev/console.h"
#include "kernel/net/outside/outside.h"
#include "kernel/net/outside/outside_ring.h"
#include "kernel/vfs/device.h"
#include "kernel/vfs/input.h"

static bool is_open; /* it was asked for, and has not ended */
static bool was_opened;

static void ask_input(size_t bytes)
{
	const struct network_record record = {.op = NETWORK_ASK, .value = (int32_t)bytes};
	if (was_opened) {
		outside_request(&record, NULL);
		return;
	}
	was_opened = is_open = true;
	outside_begin_looking();
	outside_request(&record, NULL);
	outside_ring_turn(); /* what the host has already is there at the next look */
}

static const struct input_source source = {ask_input, outside_look};

void outside_input_init(void)
{
	const struct boot_info *boot = phys_to_virt(LAYOUT_BOOT_INFO);
	if (boot->flags & BOOT_FLAG_INPUT)
		input_source = &source;
}

/* Does the same with and without this source: these calls leave traces on the stack, which the digest of a native image
 * covers. */
void outside_input_forget(void)
{
	if (is_open)
		outside_end_looking();
	is_open = was_opened = false;
	input_forget();
	device_choose_stream();
	outside_forget_looks();
}

void outside_input_event(const struct network_record *event)
{
	void *to = event->bytes ? console_arrive(event->bytes) : NULL;
	outside_ring_take(to);
	if (!is_open || (event->bytes && !to)) /* nobody has asked for it: somebody has edited a recording */
		return;
	if (!event->bytes) {
		is_open = false;
		outside_end_looking();
	}
	input_arrived(event->bytes);
}

bool outside_input_is_awaited(bool is_last)
{
	return is_open && input_is_awaited(is_last);
}
