# SPDX-License-Identifier: MIT
#
# The compiler's plugins, programs of the host: $(B)/lib/ticks.so makes code count its work, $(B)/lib/bit_fields.so makes
# stores to bit fields two steps for -fpreempt=memory. Needs B and SRC.

PLUGIN_INCLUDE := $(shell gcc -print-file-name=plugin/include 2>/dev/null)
PLUGIN_CXX := g++ -std=gnu++17 -O2 -Wall -Wextra -Werror -fno-rtti -fPIC -shared -s -I$(SRC) -isystem $(PLUGIN_INCLUDE)

TICKS_SOURCES := $(addprefix $(SRC)/libc-port/ticks/,plugin.cc check.cc price.cc unroll.cc)

$(B)/lib/ticks.so: $(TICKS_SOURCES) $(addprefix $(SRC)/libc-port/ticks/,check.h costs.h gcc.h price.h unroll.h) $(SRC)/abi/ticks.h
	@mkdir -p $(@D)
	@echo "  HOSTCXX ticks.so"
	@$(PLUGIN_CXX) $(TICKS_SOURCES) -o $@

$(B)/lib/bit_fields.so: $(SRC)/libc-port/ticks/bit_fields.cc
	@mkdir -p $(@D)
	@echo "  HOSTCXX bit_fields.so"
	@$(PLUGIN_CXX) $< -o $@
