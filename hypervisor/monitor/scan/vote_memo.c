/* SPDX-License-Identifier: MIT */
/* Keeps the bytes that a vote depends on, and compares them: a hash could be met by other bytes on purpose. The memo is
 * of the thread that answers the guest, which alone judges memory. */
#include "scan/vote_memo.h"

#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "abi/code.h"

/* Bytes that a vote reads before and after the offset: it disassembles from VOTE_FAR before it to the instruction at
 * the offset, and VOTE_AHEAD further ones. */
#define READ_BEFORE VOTE_FAR
#define READ_BEHIND ((VOTE_AHEAD + 2) * CODE_INSTRUCTION_MAX)

#define MEMO_VOTES 1024 /* a run of javac judges some 1000 places, most of them ten times */
#define ALIGN 16U       /* functions begin at its multiples, which a vote regards */

/* Everything that a vote depends on. */
struct ballot {
	unsigned set;
	uint16_t before, behind; /* number of bytes that there are */
	uint8_t aligned;         /* the offset's address modulo ALIGN */
	uint8_t bytes[READ_BEFORE + READ_BEHIND];
};

struct remembered {
	struct ballot ballot;
	struct vote vote; /* with the offset from the one that was asked for */
};

/* Votes follow one another in memory, so that a run which judges few places touches few pages. */
static struct {
	struct remembered votes[MEMO_VOTES]; /* as many as there are slots */
	uint16_t count;
	uint16_t slots[MEMO_VOTES]; /* by hash: the number of a vote, from 1 on; 0: none */
} memo;

static void fill_ballot(struct ballot *ballot, const uint8_t *bytes, uint64_t count, uint64_t address, uint64_t offset,
                        unsigned set)
{
	memset(ballot, 0, sizeof(*ballot));
	ballot->set = set;
	ballot->before = (uint16_t)(offset < READ_BEFORE ? offset : READ_BEFORE);
	ballot->behind = (uint16_t)(count - offset < READ_BEHIND ? count - offset : READ_BEHIND);
	ballot->aligned = (address + offset) % ALIGN;
	memcpy(ballot->bytes, bytes + offset - ballot->before, (size_t)ballot->before + ballot->behind);
}

/* The vote that has this ballot, or whose place it takes. */
static struct remembered *vote_of(const struct ballot *ballot)
{
	uint16_t *slot = &memo.slots[XXH3_64bits(ballot, sizeof(*ballot)) % MEMO_VOTES];
	if (!*slot)
		*slot = ++memo.count;
	return &memo.votes[*slot - 1];
}

void vote_memo_ask(const uint8_t *bytes, uint64_t count, uint64_t address, uint64_t offset, unsigned set,
                   struct vote *vote)
{
	struct ballot ballot;
	fill_ballot(&ballot, bytes, count, address, offset, set);
	struct remembered *known = vote_of(&ballot);
	if (memcmp(&known->ballot, &ballot, sizeof(ballot))) {
		vote_ask(bytes, count, address, 0, offset, set, vote);
		vote->offset -= offset;
		vote->instruction.target = 0;
		memcpy(&known->ballot, &ballot, sizeof(ballot)); /* with its padding, which is compared, too */
		known->vote = *vote;
	}
	*vote = known->vote;
	vote->offset += offset;
}
