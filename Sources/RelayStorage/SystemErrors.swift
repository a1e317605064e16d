// What the operating system's error numbers mean to a store.

import Glibc
import Relay

extension Int32 {
    /// No room: on the disk, within the user's quota, or within the process's file size limit.
    var meansFull: Bool { self == ENOSPC || self == EDQUOT || self == EFBIG }
}

/// The store error for the current `errno`.
func storeError(_ action: String) -> StoreError {
    let number = errno
    return number.meansFull ? .full : .failed("\(action): \(String(cString: strerror(number)))")
}
