// SIGTERM and SIGINT as something to wait for, instead of something that interrupts.

import Dispatch
import Glibc

struct StopSignals {
    private let set: sigset_t

    /// Must be made before the process has a second thread.
    init() {
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, SIGTERM)
        sigaddset(&set, SIGINT)
        pthread_sigmask(SIG_BLOCK, &set, nil)
        self.set = set
        // Errors of the calls that would cause these are handled where they come up.
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
    }

    func wait() {
        var set = set
        var caught: Int32 = 0
        sigwait(&set, &caught)
    }

    func exitOnTheNext() {
        let signals = self
        DispatchQueue.global().async {
            signals.wait()
            _exit(130)
        }
    }
}
