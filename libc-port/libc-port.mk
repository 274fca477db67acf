# SPDX-License-Identifier: MIT
#
# What a program is linked with beside newlib: crt0, the glue over the kernel, the linker script, and the compiler
# command that knows them. IMAGE_INPUTS names all of it, for rules that make images.

PORT_SOURCES := $(wildcard libc-port/src/*/*.c libc-port/src/*/*.S)
# Sorted by file name: the order of the library's members is that of a program's code, and no folder is to change it.
PORT_SOURCES := $(foreach name,$(sort $(notdir $(PORT_SOURCES))),$(filter %/$(name),$(PORT_SOURCES)))
PORT_OBJECTS := $(patsubst %,$(B)/obj/%.o,$(PORT_SOURCES))
PORT_MEMBERS := $(filter-out %/crt0.c.o,$(PORT_OBJECTS))

IMAGE_INPUTS := $(B)/eremite-cc $(B)/lib/image.ld $(B)/lib/crt0.o $(B)/lib/libport.a $(B)/lib/liberemite.a \
	$(B)/lib/libc.a $(B)/lib/libm.a $(B)/lib/ticks.so $(B)/lib/bit_fields.so

# libc's own functions must not be compiled into calls of themselves, and fma.c rounds in the mode of its caller.
PORT_CFLAGS := -std=gnu11 -D_GNU_SOURCE -O2 -g $(WARNINGS) -I$(SRC) -mfsgsbase -fno-builtin -frounding-math \
	$(TARGET_CODEGEN) $(TARGET_FLOAT) $(MAPS)

.PHONY: libc-port check-libc-port install-libc-port
libc-port: $(IMAGE_INPUTS)

$(B)/eremite-cc: libc-port/eremite-cc
	@mkdir -p $(B)/include && ln -sfnr $(PORT)/include $(B)/include/port
	@sed "s/@GCC@/$$(gcc -dumpversion | cut -d. -f1)/" $< >$@.new && chmod 755 $@.new && mv $@.new $@

$(B)/lib/image.ld: libc-port/image.ld
	@mkdir -p $(@D)
	@cp $< $@

# What computes counts its work, as newlib does. The rest does not: where it changes what threads share without a lock, it
# must not be interrupted. string.c charges by length.
PORT_TICKED := bessel calloc collate dns err fma fmtmsg fnmatch ftw getline getopt gettext glob ifaddrs inet ldtoa \
	locale long_double long_double_math math_edges mntent netdb netdb_host printf_hex printf_positional rand random \
	regcomp resolve search service sqrt stdlib strerror strftime strptime strsignal strtol tgamma time_fields time_zone uchar
PORT_TICKS = $(if $(filter $(PORT_TICKED),$(basename $(notdir $<))),-fticks,-fno-ticks)

# Every program that prints carries these, and few call them.
PORT_COLD := ldtoa locale printf_hex printf_positional tty
PORT_SIZE = $(if $(filter $(PORT_COLD),$(basename $(notdir $<))),-Os)

# What is defined becomes weak: a program may use any name that ISO C does not reserve, and many have their own error().
$(B)/obj/libc-port/%.o: libc-port/% $(B)/eremite-cc $(B)/lib/ticks.so $(B)/lib/libc.a libc-port/libc-port.mk
	@mkdir -p $(@D)
	@echo "  CC      $<"
	@$(B)/eremite-cc $(PORT_CFLAGS) $(PORT_SIZE) $(PORT_TICKS) -MMD -MP -c $< -o $@
	@$(RELOCATE) $(@:.o=.d)
	@nm -g --defined-only --format=just-symbols $@ >$@.names && { [ ! -s $@.names ] || objcopy --weaken-symbols=$@.names $@; }

$(B)/lib/crt0.o: $(B)/obj/libc-port/src/runtime/crt0.c.o
	@cp $< $@

$(B)/lib/libport.a: $(PORT_MEMBERS)
	@echo "  AR      libport.a"
	@rm -f $@ && ar rcD $@ $^

$(B)/obj/libc-port/fma_test: libc-port/tests/fma_test.c libc-port/src/math/fma.c
	@mkdir -p $(@D)
	@echo "  HOSTCC  $<"
	@$(CC) -O2 -frounding-math -fno-builtin -ffp-contract=off -Dfma=port_fma -Dfmaf=port_fmaf -c libc-port/src/math/fma.c \
		-o $@.fma.o
	@$(CC) -O2 $(WARNINGS) -frounding-math -fno-builtin $< $@.fma.o -lm -o $@

# The port's long double functions, for the host, under names of their own beside the host's.
$(B)/obj/libc-port/long_double_test: libc-port/tests/long_double_test.c libc-port/src/math/long_double.c \
		libc-port/src/math/long_double_math.c libc-port/src/math/long_double.h
	@mkdir -p $(@D)
	@echo "  HOSTCC  $<"
	@for f in long_double long_double_math; do $(CC) -O2 -D_GNU_SOURCE -I. -fno-builtin -ffp-contract=off \
		-c libc-port/src/math/$$f.c -o $@.$$f.o || exit 1; done
	@nm -g --defined-only --format=just-symbols $@.*.o | awk 'NF == 1 && !/:$$/ { print $$1, "port_" $$1 }' >$@.names
	@for f in long_double long_double_math; do objcopy --redefine-syms=$@.names $@.$$f.o || exit 1; done
	@$(CC) -O1 $(WARNINGS) -fno-builtin $< $@.long_double.o $@.long_double_math.o -lm -o $@

# Each prints TAP.
check-libc-port: libc-port $(B)/obj/libc-port/fma_test $(B)/obj/libc-port/long_double_test
	@libc-port/check-headers $(B)/eremite-cc
	@$(B)/obj/libc-port/fma_test
	@$(B)/obj/libc-port/long_double_test

# The compiler command with all it needs: make install-libc-port PREFIX=/usr/local
install-libc-port: libc-port | install-directories
	@install -D -m 755 $(B)/eremite-cc $(DESTDIR)$(PREFIX)/bin/eremite-cc
	@mkdir -p $(DESTDIR)$(PREFIX)/lib/eremite/include $(DESTDIR)$(PREFIX)/lib/eremite/lib
	@cp -r $(B)/include/newlib $(DESTDIR)$(PREFIX)/lib/eremite/include/
	@cp -rL $(B)/include/port $(DESTDIR)$(PREFIX)/lib/eremite/include/
	@cp $(B)/lib/*.a $(B)/lib/*.so $(B)/lib/crt0.o $(B)/lib/image.ld $(DESTDIR)$(PREFIX)/lib/eremite/lib/

-include $(PORT_OBJECTS:.o=.d)
