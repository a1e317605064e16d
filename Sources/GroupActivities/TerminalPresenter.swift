// A presenter for a program in a terminal; one without a terminal asks nobody.

import Foundation
import QRCodes

/// Prints the link, and on a terminal its QR code, to standard error, asks at the terminal, and prints notices.
public struct TerminalPresenter: SharingPresenter {
    private let isTerminal: Bool
    private let write: @Sendable (String) -> Void
    private let readAnswer: @Sendable () async -> String?

    public init() {
        self.init(
            isTerminal: isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1, write: { FileHandle.standardError.write(Data(($0 + "\n").utf8)) },
            readAnswer: {
                // Reading blocks, which must not hold up tasks.
                await withCheckedContinuation { continuation in Thread.detachNewThread { continuation.resume(returning: readLine()) } }
            })
    }

    init(isTerminal: Bool, write: @escaping @Sendable (String) -> Void, readAnswer: @escaping @Sendable () async -> String?) {
        self.isTerminal = isTerminal
        self.write = write
        self.readAnswer = readAnswer
    }

    public func invite(to title: String, link: String?) async -> GroupActivitySharingResult {
        guard let link else {
            write("There is no conversation to invite to. Make one with \"hearth invite\", or set HEARTH_INVITATION.")
            return .cancelled
        }
        // In a log a QR code is noise.
        let code = isTerminal ? QRCode.text(link) : nil
        write((["Invite people to \(printable(title)) with this link:\n\(link)"] + (code.map { [$0] } ?? [])).joined(separator: "\n\n"))
        return .success
    }

    public func askWhetherToShare(title: String) async -> GroupActivityActivationResult {
        guard isTerminal else { return .activationDisabled }
        write("Share \"\(printable(title))\" with everyone here? [y]es, [n]o, [c]ancel")
        switch await readAnswer()?.lowercased().first {
        case "y": return .activationPreferred
        case "n": return .activationDisabled
        default: return .cancelled
        }
    }

    public func show(notice: String, url: URL?) { write(printable(notice) + (url.map { " \($0.absoluteString)" } ?? "")) }

    public func requestForeground(title: String?) { write(title.map { "\(printable($0)) is waiting for you." } ?? "An activity is waiting for you.") }

    /// Text from strangers goes to a terminal: without what could command it.
    private func printable(_ text: String) -> String { String(text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : Character($0) }) }
}
