/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Directory cookies of more than 31 bits, where no rule of the file system's shortens them. */
#ifndef SYSCALL_DIRENTS_H
#define SYSCALL_DIRENTS_H

#include <stdbool.h>
#include <stdint.h>

/* How many cookies are kept, all directories together (512 KiB), and how many may share a place. */
#define DIR_TABLE_SIZE 16384
#define DIR_TABLE_WAYS 4

struct dir_id {
	uint64_t dev, ino;
};

/* The guest's cookie for the host's COOKIE, which does not fit 31 bits: 2^30 to 2^31 - 1. */
uint32_t dir_digest(int64_t cookie);

/* Keeps COOKIE of directory DIR, in place of an old one if need be. */
void dir_remember(struct dir_id dir, int64_t cookie);

/* Finds the kept cookie of DIR whose digest is DIGEST; of several the one remembered last. */
bool dir_recall(struct dir_id dir, uint32_t digest, int64_t *cookie);

/*
 * Reads directory FD from its start for an entry whose cookie has the digest DIGEST, or is that number.
 * Its position is anywhere afterwards. O(entries).
 */
bool dir_search(int fd, uint32_t digest, int64_t *cookie);

#endif
