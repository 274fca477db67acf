/* SPDX-License-Identifier: MIT */
#include "debug/packet.h"

#define INTERRUPT 3
#define ESCAPE '}'
#define ESCAPED_BY 0x20

int packet_digit(char digit)
{
	if (digit >= '0' && digit <= '9')
		return digit - '0';
	if (digit >= 'a' && digit <= 'f')
		return digit - 'a' + 10;
	return digit >= 'A' && digit <= 'F' ? digit - 'A' + 10 : -1;
}

static void begin_packet(struct packet_reader *reader)
{
	reader->bytes = 0;
	reader->sum = reader->given = 0;
	reader->is_bad = false;
	reader->state = PACKET_INSIDE;
}

static void add_byte(struct packet_reader *reader, uint8_t byte)
{
	if (reader->bytes == PACKET_MAX)
		reader->is_bad = true;
	else
		reader->data[reader->bytes++] = (char)byte;
}

static enum packet_event feed_outside(struct packet_reader *reader, uint8_t byte)
{
	if (byte == '$')
		begin_packet(reader);
	return byte == INTERRUPT ? PACKET_INTERRUPT : byte == '-' ? PACKET_AGAIN : PACKET_NONE;
}

static enum packet_event feed_inside(struct packet_reader *reader, uint8_t byte)
{
	if (byte == '#') {
		reader->state = PACKET_SUM_HIGH;
		return PACKET_NONE;
	}
	if (byte == '$') { /* the packet before it was cut */
		begin_packet(reader);
		return PACKET_DAMAGED;
	}
	reader->sum = (uint8_t)(reader->sum + byte);
	if (reader->state == PACKET_ESCAPED) {
		add_byte(reader, byte ^ ESCAPED_BY);
		reader->state = PACKET_INSIDE;
	} else if (byte == ESCAPE) {
		reader->state = PACKET_ESCAPED;
	} else {
		add_byte(reader, byte);
	}
	return PACKET_NONE;
}

static enum packet_event feed_sum(struct packet_reader *reader, uint8_t byte)
{
	const int digit = packet_digit((char)byte);
	reader->is_bad |= digit < 0;
	reader->given = (uint8_t)(reader->given << 4 | (digit & 0xf));
	if (reader->state == PACKET_SUM_HIGH) {
		reader->state = PACKET_SUM_LOW;
		return PACKET_NONE;
	}
	reader->state = PACKET_OUTSIDE;
	reader->data[reader->bytes] = 0;
	return reader->is_bad || reader->given != reader->sum ? PACKET_DAMAGED : PACKET_WHOLE;
}

enum packet_event packet_feed(struct packet_reader *reader, uint8_t byte)
{
	switch (reader->state) {
	case PACKET_OUTSIDE:
		return feed_outside(reader, byte);
	case PACKET_INSIDE:
	case PACKET_ESCAPED:
		return feed_inside(reader, byte);
	default:
		return feed_sum(reader, byte);
	}
}

static bool is_special(char byte)
{
	return byte == '$' || byte == '#' || byte == ESCAPE || byte == '*';
}

size_t packet_make(char *to, const char *data, size_t bytes)
{
	static const char digits[] = "0123456789abcdef";
	uint8_t sum = 0;
	size_t at = 0;
	to[at++] = '$';
	for (size_t i = 0; i < bytes; i++) {
		const bool special = is_special(data[i]);
		if (special)
			to[at++] = ESCAPE;
		to[at++] = special ? (char)(data[i] ^ ESCAPED_BY) : data[i];
	}
	for (size_t i = 1; i < at; i++)
		sum = (uint8_t)(sum + (uint8_t)to[i]);
	to[at++] = '#';
	to[at++] = digits[sum >> 4];
	to[at++] = digits[sum & 0xf];
	return at;
}
