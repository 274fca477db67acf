# SPDX-License-Identifier: MIT
#
# What a program is linked with beside newlib: crt0, the glue over the kernel, the linker script, and the compiler
# command that knows them. IMAGE_INPUTS names all of it, for rules that make images.

PORT_SOURCES := $(sort $(wildcard libc-port/src/*.c libc-port/src/*.S))
PORT_OBJECTS := $(patsubst %,$(B)/obj/%.o,$(filter-out libc-port/src/crt0.c,$(PORT_SOURCES)))

IMAGE_INPUTS := $(B)/eremite-cc $(B)/lib/image.ld $(B)/lib/crt0.o $(B)/lib/libport.a $(B)/lib/liberemite.a \
	$(B)/lib/libc.a $(B)/lib/libm.a

PORT_CFLAGS := -std=gnu11 -D_GNU_SOURCE -O2 -g $(WARNINGS) -I$(SRC) $(TARGET_CODEGEN) $(TARGET_FLOAT) $(MAPS)

.PHONY: libc-port
libc-port: $(IMAGE_INPUTS)

$(B)/eremite-cc: libc-port/eremite-cc
	@mkdir -p $(B)/include && ln -sfn $(PORT)/include $(B)/include/port
	@install -m 755 $< $@

$(B)/lib/image.ld: libc-port/image.ld
	@mkdir -p $(@D)
	@cp $< $@

$(B)/obj/libc-port/%.o: libc-port/% $(B)/eremite-cc $(B)/lib/libc.a
	@mkdir -p $(@D)
	@echo "  CC      $<"
	@$(B)/eremite-cc $(PORT_CFLAGS) -MMD -MP -c $< -o $@

$(B)/lib/crt0.o: $(B)/obj/libc-port/src/crt0.c.o
	@cp $< $@

$(B)/lib/libport.a: $(PORT_OBJECTS)
	@echo "  AR      libport.a"
	@rm -f $@ && ar rcD $@ $^

-include $(PORT_OBJECTS:.o=.d)
