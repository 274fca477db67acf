/* SPDX-License-Identifier: MIT */
/* Where this process runs. */
#ifndef ENGINE_PROCESS_STUB_PROCESSORS_H
#define ENGINE_PROCESS_STUB_PROCESSORS_H

/** Goes to the processors that the plan names, if the plan has changed. The host may refuse: nothing depends on it. */
void processors_follow(void);

#endif
