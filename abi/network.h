/* SPDX-License-Identifier: MIT */
/* What comes from outside the guest at moments that the host decides, that is the network and, with BOOT_FLAG_INPUT,
 * standard input: two rings of records in shared memory, at LAYOUT_NETWORK. The guest writes requests, the monitor
 * performs them with sockets of the host and writes events.
 *
 * Positions count bytes since the start and never wrap; the offset in a ring is the position modulo its size. Each side
 * writes only its own positions. A record is a struct network_record and `bytes` bytes of payload, padded to
 * NETWORK_ALIGN. A record whose header and payload do not fit before the end of the ring begins at the ring's start;
 * the bytes before it are a record NETWORK_SKIP, or too few for one.
 *
 * A flow is a connection of TCP. The guest numbers the flows that it opens from 1 on; the monitor numbers those that
 * come from outside from NETWORK_INCOMING on. A number is never used again.
 *
 * In a replay, a third ring has the requests that the guest is expected to make. The guest passes each one as it makes
 * the request, which is then done. A request that is not the next one in this ring, or that finds the ring empty, goes
 * to the monitor at once. TAKEN and ASK are never expected, and dropped.
 *
 * An event becomes visible in the guest at a look. Looks are numbered from 1 on: the guest looks at the end of each
 * kernel call while something can come, and when no thread is ready. */
#ifndef ABI_NETWORK_H
#define ABI_NETWORK_H

#include <stddef.h>
#include <stdint.h>

#define NETWORK_ALIGN 8U
#define NETWORK_PAYLOAD_MAX 65536U       /* of a record */
#define NETWORK_STREAM_MAX 64512U        /* of DATA and SEND: it fits into one frame of a capture */
#define NETWORK_REQUESTS_BYTES 0x200000U /* size of the ring of requests */
#define NETWORK_EVENTS_BYTES 0x400000U   /* size of the ring of events */
#define NETWORK_REQUESTS_AT 0x1000U      /* offsets in the area */
#define NETWORK_EVENTS_AT (NETWORK_REQUESTS_AT + NETWORK_REQUESTS_BYTES)
#define NETWORK_EXPECTED_BYTES 0x100000U /* size of the ring of expected requests */
#define NETWORK_EXPECTED_AT (NETWORK_EVENTS_AT + NETWORK_EVENTS_BYTES)
#define NETWORK_AREA_BYTES (NETWORK_EXPECTED_AT + NETWORK_EXPECTED_BYTES)

#define NETWORK_INCOMING 0x80000000U /* the first number of a flow that comes from outside */
#define NETWORK_WINDOW 0x100000U /* bytes of a flow that the monitor gives before the guest's program has read them */

#define NETWORK_PUBLISHED_MAX 64

/** The page at the start of the area. */
struct network_area {
	uint64_t requests_head; /**< written by the guest: bytes of requests */
	uint64_t events_tail;   /**< written by the guest: bytes of events taken */
	uint64_t expected_tail; /**< written by the guest: bytes of expected requests passed */
	uint64_t wants_room;    /**< written by the guest before it waits: 0: SENT alone does not end the wait, for no
	                           program can wait for it */
	uint8_t padding[32];
	uint64_t requests_tail; /**< written by the monitor */
	uint64_t events_head;   /**< written by the monitor */
	uint64_t expected_head; /**< written by the monitor */
	uint64_t next_look;     /**< of a replay: the look of the first event that is not in the ring yet, or an earlier
	                           one; otherwise UINT64_MAX */
	uint64_t compares;      /**< in a replay, the guest compares its requests with the expected ones */
	uint64_t clients_wait; /**< clients of a recording have not come or not ended yet (--replay-net): the guest asks
	                          the monitor whenever no thread is ready */
	uint64_t is_eager;     /**< the guest rings the doorbell after each request that it puts into the ring */
	struct network_published {
		uint16_t port;
		uint8_t protocol; /**< of IP: 6 is TCP, 17 is UDP, 0 no entry */
		uint8_t reserved;
	} published[NETWORK_PUBLISHED_MAX]; /**< ports of the guest that the host's programs can reach */
};

/** An address of IPv4 is kept as IPv6 maps it (RFC 4291, 2.5.5.2). */
struct network_address {
	uint8_t bytes[16];
	uint16_t port;    /**< in host byte order */
	uint8_t protocol; /**< 0, or where it matters, of IP: 6 is TCP, 17 is UDP */
	uint8_t reserved;
};

/* clang-format off */
/** Requests of the guest: X(number, NAME, "meaning"). */
#define NETWORK_REQUEST_LIST(X) \
	X(1, CONNECT, "opens the flow to `remote`; answered by CONNECTED") \
	X(2, SEND, "the payload is for the peer; answered by SENT") \
	X(3, FINISH, "no more is sent: the end of the stream") \
	X(4, CLOSE, "the flow is done; value 1: reset it, and drop what was not sent") \
	X(5, TAKEN, "the program has read `value` bytes") \
	X(6, LISTEN, "connections to the port of `local` are wanted") \
	X(7, UNLISTEN, "they are not wanted any more") \
	X(8, DATAGRAM, "the payload goes from the port of `local` to `remote`") \
	X(9, FORGET, "no datagrams for the port of `local` are wanted any more") \
	X(10, ASK, "`value` more bytes of standard input are wanted")

/** Events of the monitor. */
#define NETWORK_EVENT_LIST(X) \
	X(65, CONNECTED, "the connection exists; value: 0 or an errno") \
	X(66, CAME, "a connection from `remote` to the port of `local`, with its new number") \
	X(67, DATA, "the payload came") \
	X(68, ENDED, "the peer sends no more") \
	X(69, RESET, "the connection is broken; value: an errno") \
	X(70, SENT, "the host has taken `value` bytes") \
	X(71, DATAGRAM_CAME, "the payload came from `remote` for the port of `local`") \
	X(74, DATAGRAM_REFUSED, "nobody has the port `remote`, to which a datagram went from the port of `local`") \
	X(72, TIME, "all threads waited for `moment` nanoseconds, so virtual time advances by them") \
	X(73, INPUT, "the payload came on standard input; no payload: its end")
/* clang-format on */

#define NETWORK_NUMBER(number, NAME, text) NETWORK_##NAME = (number),
/** NETWORK_CONNECT etc. */
enum network_op { NETWORK_SKIP = 0, NETWORK_REQUEST_LIST(NETWORK_NUMBER) NETWORK_EVENT_LIST(NETWORK_NUMBER) };
#undef NETWORK_NUMBER

struct network_record {
	uint32_t op; /**< enum network_op */
	uint32_t
		bytes; /**< of the payload, at most NETWORK_PAYLOAD_MAX; of NETWORK_SKIP: the bytes to the ring's end */
	uint32_t flow; /**< 0: none */
	int32_t value;
	uint64_t look;   /**< the number of the last look when the guest made the request or took the event. In an event
	                    that the guest has not taken: the look at which to take it, 0 for the next one */
	uint64_t moment; /**< virtual time then, ns; of NETWORK_TIME: nanoseconds to advance */
	struct network_address local, remote;
};

_Static_assert(sizeof(struct network_area) == 376, "network_area");
_Static_assert(offsetof(struct network_area, requests_tail) == 64, "network_area");
_Static_assert(sizeof(struct network_address) == 20, "network_address");
_Static_assert(sizeof(struct network_record) == 72, "network_record");

/** Bytes that a record with so much payload takes in a ring. */
#define NETWORK_RECORD_BYTES(bytes) \
	((sizeof(struct network_record) + (bytes) + NETWORK_ALIGN - 1) & ~(uint64_t)(NETWORK_ALIGN - 1))

/** Whether bytes of an address are IPv4's, as IPv6 maps it. */
static inline int network_is_v4(const uint8_t bytes[16])
{
	for (int i = 0; i < 12; i++)
		if (bytes[i] != (i < 10 ? 0 : 0xff))
			return 0;
	return 1;
}

/** How many bytes at `position` of a ring of `size` bytes must be skipped for a record with so much payload. */
static inline uint64_t network_skip(uint64_t position, uint64_t size, uint32_t bytes)
{
	uint64_t left = size - position % size;
	return left < NETWORK_RECORD_BYTES(bytes) ? left : 0;
}

#endif
