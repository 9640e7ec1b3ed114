/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * For the run-time checks of the userland: each program prints one line for every expectation that does not
 * hold, and "N checks" at the end; it exits with 1 if any failed. They compile for any Linux, so an
 * expectation can be tried on another ABI first.
 */
#ifndef SYSROOT_CHECK_H
#define SYSROOT_CHECK_H

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* volatile: some checks stand behind an access that must fault */
static volatile int checks_done, checks_failed;

#define CHECK(expression)                                                    \
 do {                                                                        \
  checks_done++;                                                             \
  if (!(expression)) {                                                       \
   checks_failed++;                                                          \
   printf("%s:%d: %s (errno %d)\n", __FILE__, __LINE__, #expression, errno); \
  }                                                                          \
 } while (0)

/* Compares two integers and shows both. */
#define EQUAL(found, expected)                                                                    \
 do {                                                                                             \
  long long found_ = (long long)(found), expected_ = (long long)(expected);                       \
  checks_done++;                                                                                  \
  if (found_ != expected_) {                                                                      \
   checks_failed++;                                                                               \
   printf("%s:%d: %s is %lld (%#llx), not %lld (errno %d)\n", __FILE__, __LINE__, #found, found_, \
	  (unsigned long long)found_, expected_, errno);                                          \
  }                                                                                               \
 } while (0)

#define TEXT(found, expected)                                                                  \
 do {                                                                                          \
  const char *found_ = (found), *expected_ = (expected);                                       \
  checks_done++;                                                                               \
  if (strcmp(found_, expected_)) {                                                             \
   checks_failed++;                                                                            \
   printf("%s:%d: %s is \"%s\", not \"%s\"\n", __FILE__, __LINE__, #found, found_, expected_); \
  }                                                                                            \
 } while (0)

static inline int checks_end(void)
{
	printf("%d checks\n", checks_done);
	return checks_failed ? 1 : 0;
}

#endif
