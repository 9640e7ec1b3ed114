/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Capabilities, keys, filters, tracing facilities. See rows.h. */
/* clang-format off */
SYS(90, capget, ALL, INT, NO_BLOCK, HOST(capget), PTR_IN(hdr, cap_header, "a version and a pid"), PTR_VARIANT_OPT(data, capability_arg, "sets of 32 bits, as many as the version has"))
SYS(91, capset, ALL, INT, NO_BLOCK, HANDLER_HOST(sys_credentials, capset), PTR_IN(hdr, cap_header, "a version and a pid"), PTR_VARIANT(data, capability_arg, "sets of 32 bits, as many as the version has"))
SYS(217, add_key, ALL, INT, NO_BLOCK, HOST(add_key), STR(type), STR_OPT(description), BUF_IN_OPT(payload, 3), A(UINT, plen), A(INT, keyring))
SYS(218, request_key, ALL, INT, RESTART, HOST(request_key), STR(type), STR(description), STR_OPT(callout_info), A(INT, dest_keyring))
SYS(219, keyctl, ALL, INT, EINTR, HANDLER(sys_keyctl), SYM(operation, keyctl_op), A(HEX, arg2), A(HEX, arg3), A(HEX, arg4), A(HEX, arg5))
SYS(241, perf_event_open, ALL, FD, NO_BLOCK, HANDLER(sys_perf_event_open), VARIANT(attr, perf_attr_arg), A(PID, pid), A(INT, cpu), A(FD, group_fd), A(HEX, flags))
SYS(277, seccomp, ALL, INT, NO_BLOCK, HANDLER(sys_seccomp), SYM(operation, seccomp_op), FLAGS(flags, seccomp_flags), VARIANT(args, seccomp_arg))
SYS(280, bpf, ALL, INT, NO_BLOCK, HANDLER(sys_bpf), A(INT, cmd), OPAQUE(attr), A(UINT, size))
SYS(444, landlock_create_ruleset, SINCE_5_10, FD, NO_BLOCK, HOST(landlock_create_ruleset), BUF_IN_SIZED_OPT(attr, landlock_ruleset_attr, 1), A(UINT, size), A(HEX, flags))
SYS(445, landlock_add_rule, SINCE_5_10, INT, NO_BLOCK, HOST(landlock_add_rule), A(FD, ruleset_fd), A(INT, type), PTR_VARIANT(attr, landlock_arg, "rights and a descriptor or port, by type"), A(HEX, flags))
SYS(446, landlock_restrict_self, SINCE_5_10, INT, NO_BLOCK, HOST(landlock_restrict_self), A(FD, ruleset_fd), A(HEX, flags))
