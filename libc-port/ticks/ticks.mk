# SPDX-License-Identifier: MIT
#
# The compiler's plugin that makes code count its work: $(B)/lib/ticks.so, a program of the host. Needs B and SRC.

PLUGIN_INCLUDE := $(shell gcc -print-file-name=plugin/include 2>/dev/null)

$(B)/lib/ticks.so: $(addprefix $(SRC)/,libc-port/ticks/plugin.cc libc-port/ticks/costs.h abi/ticks.h)
	@mkdir -p $(@D)
	@echo "  HOSTCXX ticks.so"
	@g++ -std=gnu++17 -O2 -Wall -Wextra -Werror -fno-rtti -fPIC -shared -s -I$(SRC) -isystem $(PLUGIN_INCLUDE) $< -o $@
