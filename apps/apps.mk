# SPDX-License-Identifier: MIT
#
# The programs that come with Eremite, each one image: build/apps/NAME from apps/NAME/*.c.

.PHONY: apps
apps: $(B)/apps/hello

$(B)/apps/hello: apps/hello/hello.c $(IMAGE_INPUTS)
	@mkdir -p $(@D)
	@echo "  IMAGE   hello"
	@$(B)/eremite-cc -O2 -g -Wall -o $@ $<
