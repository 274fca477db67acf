/* SPDX-License-Identifier: MIT */
/* Sets the processors on which this process runs. */
#ifndef ENGINE_PROCESS_STUB_PROCESSORS_H
#define ENGINE_PROCESS_STUB_PROCESSORS_H

/**
 * Moves this process to the processors in the plan, if the plan has changed. The host may refuse, which does no harm.
 */
void processors_follow(void);

#endif
