/* SPDX-License-Identifier: MIT */
/* Passes the turn to the monitor and back. struct engine_registers has the registers of a signal frame in another
 * order. */
#include "engine/process/stub/stops.h"

#include "abi/tables.h"
#include "engine/process/stub/contents.h"
#include "engine/process/stub/data.h"
#include "engine/process/stub/processors.h"
#include "engine/process/stub/system.h"

/* Flags that the monitor may set: those that a program can change. The other flags stay as Linux set them. */
#define RFLAGS_SETTABLE 0x254dd5UL

#define MESSAGE_BYTES sizeof(((struct channel *)0)->message)

static int frame_index(unsigned number)
{
	static const uint8_t order[17] = {REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI,
	                                  REG_RBP, REG_RSP, REG_R8,  REG_R9,  REG_R10, REG_R11,
	                                  REG_R12, REG_R13, REG_R14, REG_R15, REG_RIP};
	return order[number];
}

void stops_take_registers(greg_t *registers)
{
	for (unsigned i = 0; i < 17; i++)
		registers[frame_index(i)] = (greg_t)CHANNEL->registers[i];
	registers[REG_EFL] = (greg_t)((CHANNEL->rflags & RFLAGS_SETTABLE) | TABLES_RFLAGS);
	CHANNEL->changed = 0;
}

void stops_at(greg_t *registers, enum channel_stop reason)
{
	for (unsigned i = 0; i < 17; i++)
		CHANNEL->registers[i] = (uint64_t)registers[frame_index(i)];
	CHANNEL->rflags = (uint64_t)registers[REG_EFL];
	/* Read before `reason` is stored: the monitor may see the reason and give the turn back before it is woken. */
	uint32_t go = __atomic_load_n(&CHANNEL->go, __ATOMIC_SEQ_CST);
	__atomic_store_n(&CHANNEL->reason, reason, __ATOMIC_RELEASE);
	stub_wake(&CHANNEL->stopped);
	stub_wait(&CHANNEL->go, go);
	processors_follow();
	contents_take();
	if (CHANNEL->changed)
		stops_take_registers(registers);
}

void stops_broken(greg_t *registers, const char *what)
{
	unsigned i;
	for (i = 0; what[i] && i < MESSAGE_BYTES - 1; i++)
		CHANNEL->message[i] = what[i];
	CHANNEL->message[i] = 0;
	for (;;)
		stops_at(registers, CHANNEL_BROKEN);
}
