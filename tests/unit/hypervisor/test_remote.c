/* SPDX-License-Identifier: MIT */
/* Packets of a debugger that is at fault, and answers of a guest that is hostile: every reply fits, and nothing is read
 * or written beyond its place (the test runs under sanitizers). */
#include "tests/unit/fakes/tap.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "debug/debug.h"
#include "debug/remote.h"

static uint64_t seed = 1;
static bool is_hostile; /* the guest answers anything */

static uint64_t draw_noise(uint64_t below)
{
	seed = seed * 6364136223846793005 + 1442695040888963407;
	return (seed >> 33) % below;
}

static int64_t answer(void *context, struct debug_request *request, void *data)
{
	(void)context;
	if (!is_hostile) {
		memset(data, 0, DEBUG_DATA_BYTES);
		return request->op == DEBUG_VECTOR ? 832 : 0;
	}
	for (unsigned i = 0; i < 64; i++)
		((uint8_t *)data)[draw_noise(DEBUG_DATA_BYTES)] = (uint8_t)draw_noise(256);
	request->address = draw_noise(4) ? seed : 0;
	return draw_noise(4) ? (int64_t)draw_noise(DEBUG_DATA_BYTES + 100) : -(int64_t)draw_noise(200) - 1;
}

static int64_t give_memory(void *context, uint64_t address, void *to, uint64_t bytes)
{
	(void)context;
	(void)address;
	if (is_hostile && !draw_noise(3))
		return -EFAULT;
	memset(to, 'a', bytes);
	return (int64_t)bytes;
}

static void locate(void *context, struct debug_position *position)
{
	(void)context;
	*position = (struct debug_position){.decision = 5, .now_ns = 1000000007};
}

static void describe(void *context, enum debug_say what, FILE *to)
{
	(void)context;
	for (unsigned i = 0; i < (is_hostile ? draw_noise(10000) : 1); i++)
		fprintf(to, "said %u\n", (unsigned)what);
}

static bool goes_on(void)
{
	return false;
}

static const struct debug_target target = {
	.request = answer, .read = give_memory, .position = locate, .describe = describe, .is_stopped = goes_on};
static struct debug debug;

/* The reply to a packet. */
static const char *reply_to(const char *packet)
{
	debug.target = &target;
	debug.fd = -1;
	debug.reader.bytes = strlen(packet);
	memcpy(debug.reader.data, packet, debug.reader.bytes + 1);
	remote_handle(&debug);
	debug.reply[debug.reply_bytes] = 0;
	return debug.reply;
}

static void test_replies(void **state)
{
	(void)state;
	debug.stop = (struct debug_stop){.reason = DEBUG_AT_BREAKPOINT, .tid = 3};
	assert_non_null(strstr(reply_to("qSupported:multiprocess+;swbreak+"), "PacketSize="));
	assert_string_equal(reply_to("?"), "T05thread:p1.3;swbreak:;");
	assert_string_equal(reply_to("m1000,4"), "61616161");
	assert_string_equal(reply_to("mzz"), "E16");
	assert_string_equal(reply_to("M0,2:00"), "E16"); /* fewer bytes than it says */
	assert_string_equal(reply_to("Z0,1000,1"), "OK");
	assert_string_equal(reply_to("Z0,1000,1;X3,220027;X1,27"), "OK"); /* conditions */
	assert_string_equal(reply_to("Z0,1000,1;X3,22002"), "E16");       /* fewer bytes than it says */
	assert_string_equal(reply_to("Z0,1000,1;X,22"), "E16");
	assert_string_equal(reply_to("Z1,1000,1"), ""); /* unknown */
	assert_string_equal(reply_to("qUnknown"), "");
	assert_string_equal(reply_to("vCont;s:p1.4"), "E16");   /* a thread that has not stopped */
	assert_string_equal(reply_to("vCont;C0b:p1.3"), "E16"); /* a signal that has not arrived */
	assert_string_equal(reply_to("vFile:open:2f6574632f736861646f77,0,0"), "F-1,2");
	/* monitor when */
	assert_string_equal(reply_to("qRcmd,7768656e"),
	                    "6465636973696f6e20352c207669727475616c2074696d6520312e3030303030303030372073"
	                    "2c2074687265616420330a");
	assert_string_equal(reply_to("QCatchSyscalls:1;1;2"), "OK");
	assert_int_equal(debug.wanted.calls[0], 6);
	assert_string_equal(reply_to("QCatchSyscalls:1;zz"), "E16");
	assert_int_equal(debug.wanted.calls[0], 6);
	assert_string_equal(reply_to("QCatchSyscalls:0"), "OK");
	assert_int_equal(debug.wanted.calls[0], 0);
	assert_string_equal(reply_to("QPassSignals:e;14"), "OK"); /* SIGALRM and SIGCHLD */
	assert_int_equal(debug.wanted.signals, 1 << 13 | 1 << 16);
	/* monitor at call:7, and at decision:5, where the run is already */
	assert_string_equal(reply_to("qRcmd,61742063616c6c3a37"), "OK");
	assert_int_equal(debug.wanted.place, DEBUG_PLACE_CALL);
	assert_int_equal(debug.wanted.number, 7);
	assert_non_null(strstr(reply_to("qRcmd,6174206465636973696f6e3a35"), "6861732070617373656"));
	assert_int_equal(debug.wanted.place, DEBUG_PLACE_NONE);
	debug.stop = (struct debug_stop){.reason = DEBUG_AT_CALL, .tid = 3, .call = 0x3b};
	assert_string_equal(reply_to("?"), "T05thread:p1.3;syscall_entry:3b;");
	debug.stop = (struct debug_stop){.reason = DEBUG_AT_PLACE, .tid = 3};
	assert_string_equal(reply_to("?"), "T00thread:p1.3;");
	/* children are not debugged: gdb takes breakpoints out of them, and leaves them */
	assert_non_null(
		strstr(reply_to("qSupported:multiprocess+;swbreak+;fork-events+;vfork-events+"), "vfork-events+"));
	assert_int_equal(debug.wanted.children, 1);
	debug.stop = (struct debug_stop){.reason = DEBUG_AT_FORK, .tid = 3, .child = 0x1f};
	assert_string_equal(reply_to("?"), "T05thread:p1.3;fork:p1f.1f;");
	assert_string_equal(reply_to("Hgp1f.1f"), "OK");
	assert_string_equal(reply_to("z0,1000,1"), "OK");
	assert_string_equal(reply_to("m1000,4"), "E03");
	debug.verdict = DEBUG_GOES_ON;
	assert_string_equal(reply_to("D;1f"), "OK");
	assert_int_equal(debug.verdict, DEBUG_GOES_ON);
	assert_string_equal(reply_to("Hgp1.3"), "OK");
	assert_string_equal(reply_to("m1000,4"), "61616161");
	reply_to("vCont;s:p1.3;c");
	assert_int_equal(debug.go.op, DEBUG_STEP);
	assert_int_equal(debug.go.tid & DEBUG_GO_ALONE, 0);
	reply_to("vCont;s:p1.3");
	assert_int_equal(debug.go.tid & DEBUG_GO_ALONE, DEBUG_GO_ALONE);
}

static const char *const beginnings[] = {
	"?",
	"g",
	"G",
	"p",
	"P",
	"m",
	"M",
	"X",
	"Z0,",
	"Z0,1000,1;X",
	"z2,",
	"H",
	"T",
	"c",
	"C",
	"D",
	"D;",
	"Hgp",
	"vCont;",
	"vCont;s:p1.3;c:",
	"vKill;",
	"vFile:open:2f70726f632f312f6d617073,",
	"vFile:pread:3,",
	"vFile:",
	"qSupported:",
	"qXfer:features:read:target.xml:",
	"qXfer:threads:read::",
	"qXfer:auxv:read::",
	"qXfer:siginfo:read::",
	"qXfer:exec-file:read:1:",
	"qXfer:",
	"qThreadExtraInfo,",
	"qRcmd,",
	"qRcmd,6174206d61726b65723a",
	"qRcmd,646967657374",
	"qRcmd,74687265616473",
	"QCatchSyscalls:1;",
	"QPassSignals:",
	"qfThreadInfo",
	"qC",
};

static void test_noise(void **state)
{
	(void)state;
	static const char bytes[] = "0123456789abcdef,:;.-p=zX\xff";
	static char packet[PACKET_MAX + 1];
	debug.program = "/bin/true";
	for (unsigned i = 0; i < 200000; i++) {
		is_hostile = i % 2;
		debug.stop.reason = (uint32_t)draw_noise(16);
		debug.stop.signal = (uint32_t)draw_noise(1000);
		debug.is_multiprocess = draw_noise(2);
		strcpy(packet, beginnings[draw_noise(sizeof(beginnings) / sizeof(*beginnings))]);
		const size_t length = strlen(packet),
			     more = draw_noise(200) ? draw_noise(40) : draw_noise(PACKET_MAX - length);
		for (size_t j = 0; j < more; j++)
			packet[length + j] = bytes[draw_noise(sizeof(bytes) - 1)];
		packet[length + more] = 0;
		reply_to(packet);
		assert_true(debug.reply_bytes < PACKET_MAX);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_replies),
		cmocka_unit_test(test_noise),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("remote", tests, NULL, NULL);
}
