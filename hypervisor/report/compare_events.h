/* SPDX-License-Identifier: MIT */
/* Two lists of events (--events-out), and the first event that differs. */
#ifndef HYPERVISOR_COMPARE_EVENTS_H
#define HYPERVISOR_COMPARE_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A list as it is in its file; zero-initialised: none. */
struct compare_events {
	const char *path;
	uint8_t *bytes;
	size_t size;
};

/** Whether a file begins as a list of events does. */
bool compare_events_is(const uint8_t *bytes, size_t size);

/** Prints where two lists differ first, or that they do not. Ends eremite if one is damaged. Returns whether they
 * differ. */
bool compare_events(const struct compare_events *a, const struct compare_events *b);

#endif
