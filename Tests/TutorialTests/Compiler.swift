// The toolchain's compiler, against the modules that this build has made.

import Foundation

enum Compiler {
    /// What it says, warnings included; empty when it has nothing to say.
    /// - Parameter files: by the names that their reader gives them. A manifest is taken for one, tests for tests of what else is there.
    static func complaints(about files: [String: URL]) async throws -> String {
        let manifest = files["Package.swift"].map { [$0] } ?? []
        let tests = files.filter { $0.key.hasSuffix("Tests.swift") }.map(\.value)
        let program = files.filter { $0.key != "Package.swift" && !$0.key.hasSuffix("Tests.swift") }.map(\.value).sorted { $0.path() < $1.path() }
        var said = ""
        if !manifest.isEmpty {
            said += try await run(["-package-description-version", "6.0.0", "-I", toolchain.appending(path: "lib/swift/pm/ManifestAPI").path()] + manifest.map { $0.path() })
        }
        guard !program.isEmpty else { return said }
        if tests.isEmpty { return said + (try await run(["-parse-as-library", "-module-name", "Lunch"] + modules + program.map { $0.path() })) }
        // Their program is the one that this build has made of its last step.
        return said + (try await run(["-parse-as-library", "-module-name", "LunchTests"] + modules + tests.map { $0.path() }))
    }

    /// On a thread of its own: waiting for a process would hold up other tests.
    private static func run(_ arguments: [String]) async throws -> String {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try said(by: arguments) }) }
        }
    }

    private static func said(by arguments: [String]) throws -> String {
        let process = Process()
        let output = Pipe()
        process.executableURL = toolchain.appending(path: "bin/swiftc")
        process.arguments = ["-typecheck", "-swift-version", "6"] + arguments
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return process.terminationStatus == 0 || !said.isEmpty ? said : "ended with \(process.terminationStatus)"
    }

    /// `usr` of the toolchain whose compiler is the first in PATH.
    private static let toolchain: URL = {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map { URL(filePath: String($0)) }
        let found = folders.first { FileManager.default.isExecutableFile(atPath: $0.appending(path: "swiftc").path()) }
        let compiler = (found ?? URL(filePath: "/usr/bin")).appending(path: "swiftc").resolvingSymlinksInPath()
        return compiler.deletingLastPathComponent().deletingLastPathComponent()
    }()

    /// The modules beside the running tests, and the maps of the C libraries that they stand on.
    private static let modules: [String] = {
        let own = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        var maps: [String] = []
        let walk = FileManager.default.enumerator(at: Tutorial.root.appending(path: "Sources"), includingPropertiesForKeys: nil)
        while let url = walk?.nextObject() as? URL {
            if url.lastPathComponent == "module.modulemap" { maps += ["-Xcc", "-fmodule-map-file=\(url.path())"] }
        }
        return ["-I", own.appending(path: "Modules").path()] + maps
    }()
}
