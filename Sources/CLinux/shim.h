// What Swift's Glibc leaves out: calls that are Linux's own.
#ifndef HEARTH_CLINUX_H
#define HEARTH_CLINUX_H

#include <malloc.h>
#include <sys/types.h>

extern int sync_file_range(int descriptor, __off64_t offset, __off64_t count, unsigned int flags);

// The whole file; returns before the disk has anything. A hint: what comes of it tells only a sync.
static inline void clinux_start_writeback(int descriptor) { (void)sync_file_range(descriptor, 0, 0, 2 /* SYNC_FILE_RANGE_WRITE */); }

// Of all threads together: each would keep what it has freed in a heap of its own.
static inline void clinux_keep_one_heap(void) { (void)mallopt(M_ARENA_MAX, 1); }

// Pages of what was freed go back to the system, but for about so many bytes at the end of the heap; nothing happens when no more than that is free.
static inline void clinux_give_back_memory(size_t spare) {
    if (mallinfo2().fordblks > spare) (void)malloc_trim(spare);
}

#endif
