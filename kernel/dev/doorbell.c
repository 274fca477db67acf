/* SPDX-License-Identifier: MIT */
/* The doorbell: arguments in shared memory, then a write to the port, which stops the guest until the request is
 * served. */
#include "kernel/dev/doorbell.h"

#include "abi/layout.h"
#include "kernel/arch/port.h"
#include "kernel/arch/direct_map.h"

void (*doorbell_writes)(uint64_t address, uint64_t bytes);

extern const char __image_start[]; /* image.ld */

uint64_t doorbell_address(const void *memory)
{
	if ((uint64_t)memory >= LAYOUT_DIRECT_MAP)
		return virt_to_phys(memory);
	return (uint64_t)memory - (uint64_t)__image_start + LAYOUT_IMAGE;
}

int64_t doorbell_ring(enum doorbell_op op, uint64_t arg0, uint64_t arg1)
{
	volatile struct doorbell *doorbell = phys_to_virt(LAYOUT_DOORBELL);
	doorbell->args[0] = arg0;
	doorbell->args[1] = arg1;
	port_out32(DOORBELL_PORT, (uint32_t)op);
	return doorbell->result;
}
