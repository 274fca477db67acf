/* SPDX-License-Identifier: MIT */
#include "report/event_text.h"

#include <inttypes.h>
#include <stdio.h>

#include "report/summary.h"

void event_text(const struct event_record *record, char to[EVENT_TEXT_BYTES])
{
	if (EVENT_CALL(*record) == EVENT_SWITCH)
		snprintf(to, EVENT_TEXT_BYTES, "decision: switch to thread %" PRId64, record->result);
	else
		snprintf(to, EVENT_TEXT_BYTES, "%s = %" PRId64, summary_call_name(EVENT_CALL(*record)), record->result);
}
