/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How a symbol table is written (symbols_*.c, and code with a list of commands). Values are the guest's: arm64 Linux. */
#ifndef ABI_SYMTAB_H
#define ABI_SYMTAB_H

#include "abi/symbols.h"

#define E(n, v) \
 {              \
#  n, (v)       \
 }
/* One value of a list. PREFIX is shown with a number that no entry has. */
#define VALUES(n, pfx, ...)                                         \
 static const struct abi_symbol v_##n[] = {__VA_ARGS__, {NULL, 0}}; \
 const struct abi_symbols abi_sym_##n = {.prefix = (pfx), .v = v_##n}
/* Bits to be OR-ed; those in ENUM_MASK hold one value of their own. */
#define BITS(n, pfx, mask, ...)                                     \
 static const struct abi_symbol v_##n[] = {__VA_ARGS__, {NULL, 0}}; \
 const struct abi_symbols abi_sym_##n = {                           \
	 .prefix = (pfx), .is_mask = true, .enum_mask = (mask), .v = v_##n}

/*
 * The table of a list of commands that code dispatches by: LIST(X, N) has X(name, value, ...) for those it has rows
 * for and N(name, value) for the others.
 */
#define VALUES_OF(n, pfx, LIST)                                                    \
 static const struct abi_symbol v_##n[] = {LIST(SYMBOL_OF_, SYMBOL_OF_){NULL, 0}}; \
 const struct abi_symbols abi_sym_##n = {.prefix = (pfx), .v = v_##n}
#define BITS_OF(n, pfx, mask, LIST)                                                \
 static const struct abi_symbol v_##n[] = {LIST(SYMBOL_OF_, SYMBOL_OF_){NULL, 0}}; \
 const struct abi_symbols abi_sym_##n = {                                          \
	 .prefix = (pfx), .is_mask = true, .enum_mask = (mask), .v = v_##n}
#define SYMBOL_OF_(n, v, ...) {#n, (v)},

#endif
