// The few facts of the network library that the rest of the relay is told.

import CLws

enum LwsHeadroom {
    /// Spare bytes that the library wants in front of what it is to send.
    static let bytes = Int(clws_headroom())
}

enum TLSFiles {
    enum Verdict { case fits, certificateUnreadable, keyUnreadable, keyDoesNotMatch }

    /// Whether the two files can be read and belong together.
    static func check(certificate: String, key: String) -> Verdict {
        switch clws_check_key_pair(certificate, key) {
        case 0: .fits
        case 2: .keyUnreadable
        case 3: .keyDoesNotMatch
        default: .certificateUnreadable
        }
    }
}
