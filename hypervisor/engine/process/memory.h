/* SPDX-License-Identifier: MIT */
/* Memory that the monitor shares with the guest's processes. */
#ifndef ENGINE_PROCESS_MEMORY_H
#define ENGINE_PROCESS_MEMORY_H

#include "host_memory.h"

/** Memory of a file without a name: in huge pages where the host allows it. As host_memory_reserve. */
host_memory_reserve process_memory_reserve;

#endif
