// Room for enough open files: one for each connection, and one for each part that is read or written.

import Glibc

enum Descriptors {
    private static let reserve = 256

    /// Raises the process's limit as far as is needed and allowed. Returns how many connections there is room for.
    static func makeRoom(forConnections count: Int) -> Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return count }
        let wanted = rlim_t(count * 2 + reserve)
        if limit.rlim_cur < wanted || limit.rlim_cur == rlim_t.max {
            limit.rlim_cur = min(wanted, limit.rlim_max)
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        }
        let possible = max(16, (Int(clamping: limit.rlim_cur) - reserve) / 2)
        if possible < count { Program.complain("hearth: room for \(possible) connections only, not \(count): the limit of open files is \(limit.rlim_cur) (ulimit -Hn)") }
        return min(count, possible)
    }
}
