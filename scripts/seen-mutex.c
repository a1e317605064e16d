// Lets ThreadSanitizer see what it cannot: a lock that somebody waits for is taken and given by code of Swift's own library, which is built without it.
// Linked before that library, these stand in for its three functions, call them, and say what they do. Locks that nobody waits for are seen as they are.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

void __tsan_acquire(void *address);
void __tsan_release(void *address);

SWIFT void seen_lock(uint32_t thread, SELF handle) __asm__(LOCK);
SWIFT bool seen_try(SELF handle) __asm__(TRY);
SWIFT void seen_unlock(SELF handle) __asm__(UNLOCK);

static void *original(const char *name, void **known) {
    void *found = __atomic_load_n(known, __ATOMIC_ACQUIRE);
    if (!found) {
        found = dlsym(RTLD_NEXT, name);
        if (!found) abort();
        __atomic_store_n(known, found, __ATOMIC_RELEASE);
    }
    return found;
}

SWIFT void seen_lock(uint32_t thread, SELF handle) {
    static void *known;
    ((SWIFT void (*)(uint32_t, SELF))original(LOCK, &known))(thread, handle);
    __tsan_acquire(handle);
}

SWIFT bool seen_try(SELF handle) {
    static void *known;
    bool taken = ((SWIFT bool (*)(SELF))original(TRY, &known))(handle);
    if (taken) __tsan_acquire(handle);
    return taken;
}

SWIFT void seen_unlock(SELF handle) {
    static void *known;
    __tsan_release(handle);
    ((SWIFT void (*)(SELF))original(UNLOCK, &known))(handle);
}
