// Log lines: what is written, at which level, and what stays hidden.

import Dispatch
import Foundation
import Testing
import os
import os.lock
import os.log

@testable import OSLog

@Suite struct LoggerTests {
    private func lines(showsPrivate: Bool = false, silenced: Set<OSLogType> = [.debug, .info], _ body: () -> Void) -> [String] {
        let lines = OSAllocatedUnfairLock<[String]>(initialState: [])
        let policy = LogOutput.Policy(silenced: silenced, showsPrivate: showsPrivate) { line in lines.withLock { $0.append(line) } }
        LogOutput.$policy.withValue(policy, operation: body)
        return lines.withLock { $0 }
    }

    private let logger = Logger(subsystem: "org.hearth", category: "test")

    @Test func `text values are private and numbers public unless they say otherwise`() {
        let name = "Ada"
        let lines = lines { logger.notice("\(name) has \(3) of \(name, privacy: .public), \(4, privacy: .private), \(true), \(name, privacy: .sensitive)") }
        #expect(lines.count == 1)
        #expect(lines[0].hasSuffix("[org.hearth:test] notice: <private> has 3 of Ada, <private>, true, <sensitive>\n"))
    }

    @Test func `a person at a terminal sees private values but not sensitive ones`() {
        let name = "Ada"
        #expect(lines(showsPrivate: true) { logger.error("\(name) \(name, privacy: .sensitive)") }[0].hasSuffix("error: Ada <sensitive>\n"))
    }

    @Test func `a hash mask tells equal from different and nothing else`() {
        let lines = lines { for name in ["Ada", "Ada", "Bob"] { logger.log("\(name, privacy: .private(mask: .hash))") } }.map { $0.drop { $0 != "<" } }
        #expect(lines[0] == lines[1])
        #expect(lines[0] != lines[2])
        #expect(!lines[0].contains("Ada"))
    }

    @Test func `debug and info are written only when asked for`() {
        let body = {
            logger.debug("d")
            logger.info("i")
            logger.warning("w")
            logger.fault("f")
        }
        #expect(lines(body).count == 2)
        #expect(lines(silenced: [], body).count == 4)
    }

    @Test func `a value cannot forge a line`() {
        #expect(lines { logger.log("\("a\n2026 error: b", privacy: .public)") }[0].hasSuffix(#"notice: a\n2026 error: b"# + "\n"))
    }

    @Test func `formats and alignment are kept`() {
        let lines = lines {
            logger.log("\(255, format: .hex(includePrefix: true, minDigits: 4)) \(3.14159, format: .fixed(precision: 2)) \(7, align: .right(columns: 3))|\(true, format: .answer)")
        }
        #expect(lines[0].hasSuffix("0x00ff 3.14   7|yes\n"))
    }

    @Test func `the older functions write too`() {
        #expect(lines { os_log("plain") }.count == 1)
        #expect(lines { os_log(.error, log: .disabled, "nothing") }.isEmpty)
    }

    @Test func `the lock lets one in at a time`() {
        let count = OSAllocatedUnfairLock(initialState: 0)
        DispatchQueue.concurrentPerform(iterations: 1_000) { _ in count.withLock { $0 += 1 } }
        #expect(count.withLock { $0 } == 1_000)
    }

    @Test func `the older function writes a format with its arguments, text hidden and numbers shown`() {
        let log = OSLog(subsystem: "org.hearth", category: "test")
        let lines = lines(silenced: []) {
            os_log("%@ joined %{public}@: %d of %{private}d, %5.1f, %x%%", log: log, type: .info, "Ada", "draw", 3, 4, 2.25, 255)
            os_log("nothing to fill in")
            os_log(.error, log: log, "\("Ada", privacy: .public) left")
            os_log("off", log: .disabled)
        }
        #expect(lines.count == 3)
        #expect(lines[0].hasSuffix("[org.hearth:test] info: <private> joined draw: 3 of <private>,   2.2, ff%\n"))
        #expect(lines[1].hasSuffix("notice: nothing to fill in\n"))
        #expect(lines[2].hasSuffix("[org.hearth:test] error: Ada left\n"))
    }

    @Test func `arguments that do not fit their format are written as they are`() {
        let lines = lines {
            os_log("%d %s %{public}d", "text", 5, "shown")
            os_log("%999999999d|%.*f|%", 1, 2, 0.5)
            os_log("%d %d", 1)
        }
        #expect(lines[0].hasSuffix("notice: <private> 5 shown\n"))
        #expect(lines[1].hasSuffix("notice: 1|0.500000|<missing>\n"))
        #expect(lines[2].hasSuffix("notice: 1 <missing>\n"))
    }
}
