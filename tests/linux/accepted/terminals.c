/* SPDX-License-Identifier: MIT */
/* Terminals: each ioctl, each bit of termios(3), and drawn settings under drawn bytes from both sides. The process has
 * no controlling terminal, so that signals go to nobody.
 *
 * Each step reads both sides until they are empty: natively the bytes are moved by a thread of the kernel, which a read
 * of an empty side waits for. */
#include "tests/linux/accepted/accepted.h"

#include <asm/termbits.h>
#include <sys/ioctl.h>

#define DRAWN_TERMINALS 1500
#define DRAWN_STEPS 12
#define CHARACTERS 17

struct ends {
	int master, slave;
	bool is_packet;
};

static void open_ends(struct ends *ends)
{
	const int unlocked = 0;
	ends->master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_NONBLOCK);
	ioctl(ends->master, TIOCSPTLCK, &unlocked);
	ends->slave = ioctl(ends->master, TIOCGPTPEER, O_RDWR | O_NOCTTY | O_NONBLOCK);
	ends->is_packet = false;
}

static void close_ends(const struct ends *ends)
{
	close(ends->slave);
	close(ends->master);
}

/* --- bytes --- */

/* Natively bytes pass through a terminal in the background: waits until so many have come. */
static void await_bytes(int fd, int bytes)
{
	for (int tries = 0, come = 0; tries < 10000 && !ioctl(fd, FIONREAD, &come) && come < bytes; tries++)
		poll(NULL, 0, 1);
}

static void show_text(const uint8_t *text, long bytes)
{
	printf("'");
	for (long i = 0; i < bytes; i++)
		printf(text[i] < ' ' || text[i] > '~' || text[i] == '\\' ? "\\%02x" : "%c", text[i]);
	printf("'");
}

/* Reads the terminal until nothing is left. */
static void drain_slave(int fd, size_t most)
{
	uint8_t text[512];
	for (int i = 0; i < 20; i++) {
		const long got = read(fd, text, most);
		if (got < 0 && errno == EAGAIN)
			return;
		printf(" < ");
		if (got < 0)
			printf("%s", result_of(got));
		else
			show_text(text, got);
		if (got < 0 || (!got && i))
			return;
	}
}

/* Reads all that the master has. Natively it comes in any number of parts, which are shown as one. */
static void drain_master(int fd, bool is_packet)
{
	uint8_t text[512], all[8192];
	size_t count = 0;
	long got;
	while ((got = read(fd, text, sizeof(text))) > 0) {
		if (is_packet && text[0])
			printf(" > status %02x", text[0]);
		else if (count + (size_t)got < sizeof(all)) {
			memcpy(all + count, text + is_packet, (size_t)got - is_packet);
			count += (size_t)got - is_packet;
		}
	}
	const int error = errno;
	if (count)
		printf(" > "), show_text(all, (long)count);
	errno = error;
	if (error != EAGAIN)
		printf(" > %s", result_of(-1));
}

static void drain_both(const struct ends *ends, size_t most)
{
	drain_slave(ends->slave, most);
	drain_master(ends->master, ends->is_packet);
}

static void type_bytes(const struct ends *ends, const void *bytes, size_t count, size_t most)
{
	if (write(ends->master, bytes, count) != (long)count)
		printf(" short");
	drain_both(ends, most);
}

static void print_bytes(const struct ends *ends, const void *bytes, size_t count)
{
	const long done = write(ends->slave, bytes, count);
	if (done != (long)count)
		printf(" wrote %s", result_of(done));
	drain_both(ends, 512);
}

static void show_settings(int fd)
{
	struct termios settings;
	if (ioctl(fd, TCGETS, &settings))
		return;
	printf("%x %x %x %x ", settings.c_iflag, settings.c_oflag, settings.c_cflag, settings.c_lflag);
	show_bytes(&settings.c_line, 1 + CHARACTERS, 1 + CHARACTERS);
}

/* --- each bit --- */

static uint32_t *flags_of(struct termios *settings, unsigned which)
{
	uint32_t *const all[] = {&settings->c_iflag, &settings->c_oflag, &settings->c_cflag, &settings->c_lflag};
	return all[which];
}

/* Settings to begin with: of a fresh terminal, without processing, and with everything that works natively. */
static void begin_settings(const struct ends *ends, unsigned base, struct termios *settings)
{
	ioctl(ends->slave, TCGETS, settings);
	if (base == 1)
		settings->c_iflag = settings->c_oflag = settings->c_lflag = 0;
	if (base == 2) {
		settings->c_iflag |= IUTF8 | IXANY | IUCLC;
		settings->c_oflag |= XTABS | OLCUC | ONOCR;
		settings->c_lflag |= ECHOPRT | TOSTOP;
		settings->c_cc[VEOL] = ';';
		settings->c_cc[VEOL2] = '#';
	}
}

static void use_terminal(const struct ends *ends)
{
	static const char *const typed[] = {"Ab\xc3\xa9\r",
	                                    "one\ttwo\177\177\177\177\n",
	                                    "a-b c\027\027\n",
	                                    "x;y#z\n",
	                                    "q\026\003\n",
	                                    "\003",
	                                    "ab\025c\022d\004",
	                                    "\004",
	                                    "\377\n",
	                                    "\023",
	                                    "\034",
	                                    "e\021",
	                                    "f\n",
	                                    "\032"};
	static const char *const printed[] = {"Tab\tX\r\n", "\r", "\r\rab\rc\n", "\xe9 y\b\b\n"};
	for (unsigned i = 0; i < COUNT(typed); i++) {
		printf(" %u:", i);
		type_bytes(ends, typed[i], strlen(typed[i]), 512);
	}
	for (unsigned i = 0; i < COUNT(printed); i++) {
		printf(" p%u:", i);
		print_bytes(ends, printed[i], strlen(printed[i]));
	}
}

static void try_bit(unsigned base, unsigned which, unsigned bit)
{
	static const char names[] = "iocl";
	struct ends ends;
	struct termios settings;
	open_ends(&ends);
	begin_settings(&ends, base, &settings);
	*flags_of(&settings, which) ^= 1U << bit;
	printf("terminal %u %cflag 0x%x\t%s ", base, names[which], 1U << bit,
	       result_of(ioctl(ends.slave, TCSETS, &settings)));
	show_settings(ends.master);
	use_terminal(&ends);
	printf("\n");
	close_ends(&ends);
}

/* --- drawn states --- */

static uint32_t drawn;

static uint32_t draw(uint32_t below)
{
	drawn = drawn * 1664525 + 1013904223;
	return (drawn >> 8) % below;
}

static void draw_settings(struct termios *settings)
{
	static const uint32_t known[] = {0177777, 0177777, 0, 0377777};
	for (unsigned which = 0; which < 4; which++)
		for (unsigned bit = 0; bit < 17; bit++)
			if (!draw(5) && (known[which] & 1U << bit))
				*flags_of(settings, which) ^= 1U << bit;
	for (unsigned i = 0; i < CHARACTERS; i++)
		if (!draw(6) && i != VTIME && i != VMIN)
			settings->c_cc[i] = (uint8_t)("\0a;\t\xc3 A\n\r"[draw(9)]);
}

/* A signal drops what the same write has typed before, which depends on how far the host has got: each is typed alone.
 */
static bool may_signal(const struct termios *settings, uint8_t byte)
{
	const uint8_t lower = (uint8_t)((byte & 0x7f) | 0x20);
	static const unsigned which[] = {VINTR, VQUIT, VSUSP};
	for (unsigned i = 0; i < COUNT(which); i++) {
		const uint8_t c = settings->c_cc[which[i]];
		if (c && (c == byte || c == (byte & 0x7f) || c == lower || c == (byte | 0x20)))
			return true;
	}
	return false;
}

static void type_drawn(const struct ends *ends, const struct termios *settings)
{
	static const uint8_t bytes[] = "abZ \t-_;#\r\n\177\025\027\026\022\004\021\023\003\034\032\001\xc3\xa9\xff\x83";
	const size_t most = draw(4) ? 512 : 1 + draw(4);
	uint8_t text[8];
	size_t count = 1 + draw(7), i = 0;
	for (; i < count; i++) {
		text[i] = bytes[draw(sizeof(bytes))];
		if (may_signal(settings, text[i]))
			break;
	}
	printf(" t"), show_text(text, (long)i);
	if (i)
		type_bytes(ends, text, i, most);
	if (i < count) {
		printf(" s"), show_text(text + i, 1);
		type_bytes(ends, text + i, 1, most);
	}
}

static void print_drawn(const struct ends *ends)
{
	static const uint8_t bytes[] = "abZ\t\r\n\b\001\xc3\xa9\xff";
	uint8_t text[8];
	size_t count = 1 + draw(8);
	for (size_t i = 0; i < count; i++)
		text[i] = bytes[draw(sizeof(bytes))];
	printf(" p"), show_text(text, (long)count);
	print_bytes(ends, text, count);
}

static void set_drawn(const struct ends *ends, struct termios *settings)
{
	static const unsigned long requests[] = {TCSETS, TCSETSW, TCSETSF};
	draw_settings(settings);
	printf(" set%s ", result_of(ioctl(ends->slave, requests[draw(3)], settings)));
	show_settings(ends->slave);
	drain_both(ends, 512);
}

static void control_drawn(const struct ends *ends)
{
	int unread = -1;
	if (draw(2)) {
		const unsigned long action = draw(4);
		printf(" xonc%lu %s", action, result_of(ioctl(ends->slave, TCXONC, action)));
	} else {
		const unsigned long which = draw(3);
		printf(" flush%lu %s", which, result_of(ioctl(ends->slave, TCFLSH, which)));
	}
	printf(" %s", result_of(ioctl(ends->slave, FIONREAD, &unread)));
	printf(" %d", unread);
	drain_both(ends, 512);
}

static void try_drawn(unsigned seed)
{
	struct ends ends;
	struct termios settings;
	const int packet = seed % 3 == 0;
	drawn = seed * 2654435761U;
	open_ends(&ends);
	ioctl(ends.master, TIOCPKT, &packet);
	ends.is_packet = packet;
	begin_settings(&ends, seed % 2 ? 0 : 2, &settings);
	printf("terminal drawn %u\t", seed);
	set_drawn(&ends, &settings);
	for (int i = 0; i < DRAWN_STEPS; i++)
		switch (draw(8)) {
		case 0:
			set_drawn(&ends, &settings);
			break;
		case 1:
			control_drawn(&ends);
			break;
		case 2:
		case 3:
			print_drawn(&ends);
			break;
		default:
			type_drawn(&ends, &settings);
		}
	printf("\n");
	close_ends(&ends);
}

/* --- ioctl(2) --- */

static void try_request(unsigned long request, bool from_master, bool has_memory)
{
	struct ends ends;
	uint8_t *memory = memory_fixed();
	open_ends(&ends);
	write(ends.master, "typed\n", 6);
	poll(&(struct pollfd){ends.slave, POLLIN, 0}, 1, 10000);
	await_bytes(ends.master, (int)strlen("typed\r\n"));
	printf("terminal %s ioctl 0x%lx,%s\t", from_master ? "master" : "slave", request, has_memory ? "memory" : "0");
	printf("%s ", result_of(ioctl(from_master ? ends.master : ends.slave, request, has_memory ? memory : NULL)));
	show_bytes(memory, 64, 64);
	printf(" ");
	fcntl(ends.slave, F_SETFL, O_RDWR | O_NONBLOCK);
	fcntl(ends.master, F_SETFL, O_RDWR | O_NONBLOCK);
	show_settings(ends.slave);
	if (request != TIOCPKT) /* a master in packet mode says so by its bytes */
		drain_both(&ends, 512);
	printf("\n");
	for (int i = 3; i < 40; i++)
		close(i);
}

static void try_requests(void)
{
	static const unsigned long more[] = {0x802c542a, 0x402c542b, 0x402c542c, 0x402c542d, 0x80045430,
	                                     0x40045431, 0x80045432, 0x40045436, 0x80045438, 0x80045439,
	                                     0x80045440, 0x80285442, 0xc0285443};
	for (int side = 0; side < 2; side++)
		for (int memory = 0; memory < 2; memory++) {
			for (unsigned long request = 0x5400; request < 0x54a0; request++)
				try_request(request, side, memory);
			for (unsigned i = 0; i < COUNT(more); i++)
				try_request(more[i], side, memory);
		}
}

/* Each way to set the settings, all bits set, then shown by each way. */
static void try_structures(void)
{
	static const unsigned long sets[] = {TCSETS,   TCSETSW, TCSETSF, TCSETS2, TCSETSW2,
	                                     TCSETSF2, TCSETA,  TCSETAW, TCSETAF};
	static const unsigned long gets[] = {TCGETS, TCGETS2, TCGETA};
	static const uint8_t fills[] = {0xff, 0, 0x5a, 0x0d, 0x10};
	for (unsigned i = 0; i < COUNT(sets); i++)
		for (unsigned k = 0; k < COUNT(fills); k++) {
			struct ends ends;
			uint8_t memory[64];
			open_ends(&ends);
			memset(memory, fills[k], sizeof(memory));
			printf("terminal structure 0x%lx 0x%x\t", sets[i], fills[k]);
			printf("%s", result_of(ioctl(ends.slave, sets[i], memory)));
			for (unsigned get = 0; get < COUNT(gets); get++) {
				memset(memory, 0xee, sizeof(memory));
				printf(" %s ", result_of(ioctl(ends.master, gets[get], memory)));
				show_bytes(memory, 48, 48);
			}
			printf("\n");
			close_ends(&ends);
		}
}

/* --- MIN and TIME --- */

/* Reads from a terminal with so many typed bytes. Skips what would wait for ever. */
static void try_minimum(int minimum, int tenths, size_t typed, size_t most, bool waits)
{
	struct ends ends;
	struct termios settings;
	uint8_t text[256];
	const size_t least = minimum < 64 ? (size_t)minimum : 64;
	if (waits && typed < least && typed < most && !(tenths && typed))
		return;
	if (waits && !typed && minimum)
		return;
	open_ends(&ends);
	ioctl(ends.slave, TCGETS, &settings);
	settings.c_iflag = settings.c_lflag = 0;
	settings.c_cc[VMIN] = (uint8_t)minimum;
	settings.c_cc[VTIME] = (uint8_t)tenths;
	ioctl(ends.slave, TCSETS, &settings);
	memset(text, 'a', sizeof(text));
	write(ends.master, text, typed);
	await_bytes(ends.slave, (int)typed);
	struct pollfd pollfd = {ends.slave, POLLIN, 0};
	printf("terminal minimum %d,%d of %zu, %zu %s\t", minimum, tenths, typed, most, waits ? "waits" : "");
	printf("%s", result_of(poll(&pollfd, 1, 0)));
	fcntl(ends.slave, F_SETFL, O_RDWR | (waits ? 0 : O_NONBLOCK));
	for (int i = 0; i < 2 && (!waits || !i); i++)
		printf(" %s", result_of(read(ends.slave, text, most)));
	fcntl(ends.slave, F_SETFL, O_RDWR | O_NONBLOCK);
	drain_both(&ends, 512);
	printf("\n");
	close_ends(&ends);
}

static void try_minimums(void)
{
	static const int minimums[] = {0, 1, 3, 64, 65, 200};
	static const size_t typed[] = {0, 1, 2, 3, 70, 200}, most[] = {1, 3, 64, 65, 250};
	for (unsigned i = 0; i < COUNT(minimums); i++)
		for (unsigned k = 0; k < COUNT(typed); k++)
			for (unsigned m = 0; m < COUNT(most); m++)
				for (int tenths = 0; tenths < 2; tenths++)
					try_minimum(minimums[i], tenths, typed[k], most[m], false);
	for (int tenths = 0; tenths < 2; tenths++)
		for (unsigned i = 0; i < COUNT(minimums); i++)
			for (unsigned k = 0; k < COUNT(typed); k += 2)
				try_minimum(minimums[i], tenths, typed[k], 250, true);
}

static void try_terminals(void)
{
	for (unsigned base = 0; base < 3; base++)
		for (unsigned which = 0; which < 4; which++)
			for (unsigned bit = 0; bit < 32; bit++)
				try_bit(base, which, bit);
	try_structures();
	try_requests();
	try_minimums();
	for (unsigned seed = 1; seed <= DRAWN_TERMINALS; seed++)
		try_drawn(seed);
}

/* In a process that leads no session and has no controlling terminal. */
void part_terminals(void)
{
	int status = 0;
	fflush(stdout);
	const pid_t leader = fork();
	if (!leader) {
		setsid();
		const pid_t child = fork();
		if (!child)
			try_terminals(), exit(0);
		waitpid(child, &status, 0);
		_exit(status != 0);
	}
	waitpid(leader, &status, 0);
	printf("terminals end\t%d\n", status);
}
