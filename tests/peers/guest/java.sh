# SPDX-License-Identifier: MIT
# HttpServer and HttpClient, and the interfaces. shellcheck shell=bash
java -cp . Http
java -cp . Http interfaces
