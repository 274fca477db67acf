# SPDX-License-Identifier: MIT
#
# The library that takes the place of libtsan in a guest: $(B)/lib/eremite-tsan.so. Its own copies must not become calls
# of memcpy, which it defines for the program.

TSAN_SOURCES := $(sort $(wildcard tsan/*.[cS]))
TSAN_CFLAGS := -std=gnu11 -D_GNU_SOURCE -O2 -g $(filter-out -Wmissing-prototypes,$(WARNINGS)) -Wno-missing-attributes -I$(SRC) -fno-strict-aliasing \
	$(MAPS) -fPIC -fvisibility=hidden -fno-builtin -fno-tree-loop-distribute-patterns -mstringop-strategy=rep_8byte \
	-minline-all-stringops -fcf-protection=none

TSAN_OBJECTS := $(TSAN_SOURCES:%=$(B)/obj/%.o)

$(B)/obj/tsan/%.o: tsan/% tsan/tsan.mk
	@mkdir -p $(@D)
	@echo "  CC      $<"
	@$(CC) $(TSAN_CFLAGS) -MMD -MP -c $< -o $@
	@$(RELOCATE) $(@:.o=.d)

$(B)/lib/eremite-tsan.so: $(TSAN_OBJECTS) tsan/tsan.mk
	@mkdir -p $(@D)
	@echo "  LD      eremite-tsan.so"
	@$(CC) -shared -Wl,-soname,libtsan.so.2 -Wl,-z,now -Wl,-z,defs -Wl,--build-id=none -o $@ $(TSAN_OBJECTS) -ldl

hypervisor: $(B)/lib/eremite-tsan.so

-include $(TSAN_OBJECTS:.o=.d)
