# SPDX-License-Identifier: MIT
#
# The monitor: build/eremite, and build/eremite-symbolize, which reads debug information in a process of its own.

SYMBOLIZE_SOURCES := $(sort $(wildcard hypervisor/symbolize/*.c))
MONITOR_SOURCES := $(sort $(filter-out $(SYMBOLIZE_SOURCES) hypervisor/launcher/launcher.c,$(wildcard hypervisor/*/*.c)) $(wildcard hypervisor/engine/*/*.c hypervisor/net/*/*.c hypervisor/hostfs/*/*.c hypervisor/cli/*/*.c hypervisor/pack/*/*.c))
include hypervisor/engine/process/process.mk hypervisor/cli/analyze/page/page.mk

MONITOR_OBJECTS := $(patsubst %.c,$(B)/obj/%.o,$(MONITOR_SOURCES)) $(STUB_OBJECT) $(PAGE_OBJECT)
SYMBOLIZE_OBJECTS := $(patsubst %.c,$(B)/obj/%.o,$(SYMBOLIZE_SOURCES))

# The paths without .c of the monitor's modules with the names $(1), each of which occurs in one folder only.
monitor_modules = $(foreach name,$(1),$(patsubst %.c,%,$(filter %/$(name).c,$(MONITOR_SOURCES))))

# What the libraries are called that are loaded on demand; in a folder of its own, which any compiler of them is given.
LIBRARY_NAMES := $(B)/names/library_names.h

$(LIBRARY_NAMES): scripts/library-names
	@mkdir -p $(@D)
	@scripts/library-names CJSON=libcjson LZ4=liblz4 ARCHIVE=libarchive ZYDIS=libZydis >$@.new && mv $@.new $@

# A user's limit on stacks may be small (ulimit -s), so no frame is large.
MONITOR_CFLAGS := -std=gnu11 -D_GNU_SOURCE= -O2 -g $(WARNINGS) -I$(SRC) -Ihypervisor -I$(B)/names -fstack-protector-strong \
	-fno-strict-aliasing -Wframe-larger-than=8192 $(MAPS)
# libcrypto statically: only its SHA-256 is used, and loading all of it costs a millisecond.
MONITOR_LIBS := -Wl,--wrap=OPENSSL_cpuid_setup -Wl,-u,OPENSSL_cpuid_setup -Wl,-Bstatic -lcrypto -Wl,-Bdynamic -pthread -ldl
# libelf needs libz, too.
SYMBOLIZE_LIBS := -ldw -lelf -lz

.PHONY: hypervisor
hypervisor: $(B)/eremite $(B)/eremite-symbolize

$(B)/obj/hypervisor/%.o: hypervisor/%.c | $(LIBRARY_NAMES)
	@mkdir -p $(@D)
	@echo "  CC      $<"
	@$(CC) $(MONITOR_CFLAGS) -MMD -MP -c $< -o $@
	@$(RELOCATE) $(@:.o=.d)

# The commit, written anew only when it is another one.
$(B)/commit: FORCE
	@mkdir -p $(@D) && scripts/commit >$@.new
	@if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi
.PHONY: FORCE
$(B)/obj/hypervisor/base/commit.o: MONITOR_CFLAGS += -DCOMMIT="\"$$(cat $(B)/commit)\""
$(B)/obj/hypervisor/base/commit.o: $(B)/commit

$(B)/eremite: $(MONITOR_OBJECTS) hypervisor/hypervisor.mk
	@echo "  LD      eremite"
	@$(CC) -o $@ $(MONITOR_OBJECTS) -Wl,-z,relro,-z,now $(MONITOR_LIBS)

$(B)/eremite-symbolize: $(SYMBOLIZE_OBJECTS) hypervisor/hypervisor.mk
	@echo "  LD      eremite-symbolize"
	@$(CC) -o $@ $(SYMBOLIZE_OBJECTS) -Wl,-z,relro,-z,now $(SYMBOLIZE_LIBS) -l:libstdc++.a

# What a bundle has in the place of its programs (make bundle).
$(B)/launcher: hypervisor/launcher/launcher.c hypervisor/hypervisor.mk
	@echo "  LD      launcher"
	@$(CC) -std=gnu11 -O2 $(WARNINGS) -ffreestanding -fno-stack-protector -fno-builtin -fno-pie -fno-tree-loop-distribute-patterns \
		-static -no-pie -nostdlib -s -Wl,--build-id=none -Wl,-z,noexecstack -o $@ $<

-include $(MONITOR_OBJECTS:.o=.d) $(SYMBOLIZE_OBJECTS:.o=.d)
