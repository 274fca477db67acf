/* SPDX-License-Identifier: MIT */
/* `wanted` is true from the moment a program finds no key until it gets one. Meanwhile, when no thread is ready,
 * virtual time passes no faster than wall time.
 *
 * Keys come in one of two ways. The kernel asks for the next one when no thread is ready; or, with an input_source,
 * they arrive as events. */
#include "kernel/vfs/keyboard.h"

#include "abi/errno.h"
#include "kernel/dev/console.h"
#include "kernel/sched/process.h"
#include "kernel/sched/sched.h"
#include "kernel/time/vclock.h"
#include "kernel/vfs/input.h"

/* With an input_source: how many bytes may be typed before they are read. The terminal drops what its line does not
 * hold, so it asks for fewer. ASK_LEAST may always come: among them may be a key that makes a signal. */
#define ASK_MOST (LINE_QUEUE / 2)
#define ASK_LEAST 64U

static struct {
	struct terminal terminal;
	bool wanted;
	size_t asked; /* with an input_source: bytes that it was asked for and that have not come */
} keyboard;

struct terminal *keyboard_terminal(void)
{
	return keyboard.terminal.side ? &keyboard.terminal : NULL;
}

/* Takes bytes that were typed; none: the terminal has gone. */
static void type_keys(const uint8_t *typed, size_t bytes)
{
	keyboard.wanted = false;
	keyboard.terminal.ended = !bytes;
	terminal_type(&keyboard.terminal, typed, bytes);
}

/* Waits for a key. Returns whether a key came or the terminal ended. */
static bool take_key(uint64_t wait_ns)
{
	const uint8_t *key;
	long bytes = console_typed(&key, wait_ns);
	if (bytes == -EAGAIN)
		return false;
	type_keys(key, bytes < 0 ? 0 : (size_t)bytes);
	return true;
}

/* Asks the input_source for bytes, when few are on their way. */
static void ask_for_keys(void)
{
	size_t queued = keyboard.terminal.line.end - keyboard.terminal.line.start;
	size_t most = queued < ASK_MOST - ASK_LEAST ? ASK_MOST - queued : ASK_LEAST;
	if (!input_source || keyboard.terminal.ended || keyboard.asked > most / 2)
		return;
	input_source->ask(most - keyboard.asked);
	keyboard.asked = most;
}

void keyboard_arrived(size_t bytes)
{
	const uint8_t *typed;
	size_t kept = console_kept(&typed);
	keyboard.asked -= bytes < keyboard.asked ? bytes : keyboard.asked;
	type_keys(typed, kept);
	console_drop(kept);
	ask_for_keys();
}

bool keyboard_is_awaited(bool is_last)
{
	return !keyboard.terminal.ended && (is_last || keyboard.wanted || keyboard.terminal.reading.first);
}

/* sched_outside, called when no thread is ready. */
static bool wait_for_key(uint64_t until_ns)
{
	const bool forever = until_ns > vclock_end();
	uint64_t now = vclock_now();
	if (!keyboard_is_awaited(forever))
		return false;
	return take_key(forever ? UINT64_MAX : until_ns > now ? until_ns - now : 0);
}

void keyboard_take_interrupt(void)
{
	if (input_source) {
		console_forget_interrupt(); /* before the look, so that a later key is not forgotten */
		input_source->look();
		return;
	}
	while (!keyboard.terminal.ended && console_has_interrupt() && take_key(0))
		;
}

static size_t screen_room(const struct terminal *)
{
	return SIZE_MAX;
}

static void show_typed(struct terminal *, const void *text, size_t bytes)
{
	console_write(1, text, bytes);
}

static void await_key(struct terminal *)
{
	keyboard.wanted = true;
}

static void keys_taken(struct terminal *)
{
	ask_for_keys();
}

static const struct terminal_side side = {
	.room = screen_room,
	.put = show_typed,
	.echo = show_typed,
	.await = await_key,
	.taken = keys_taken,
};

void keyboard_add(struct inode *inode)
{
	struct terminal *terminal = &keyboard.terminal;
	if (!terminal->side) {
		terminal_init(terminal, &side, 0);
		terminal->line.termios.c_iflag |= LINE_IUTF8; /* most terminals of hosts are */
		console_tty_size(&terminal->size.ws_row, &terminal->size.ws_col);
		terminal->session = terminal->foreground = PROCESS_ID;
		if (!input_source)
			sched_outside = wait_for_key;
		ask_for_keys();
	}
	terminal_add(terminal, inode);
}
