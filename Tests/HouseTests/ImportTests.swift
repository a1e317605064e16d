// The directions of imports are the architecture: what must not know a thing cannot name it.

import Testing

@Suite("Directions of imports")
struct ImportTests {
    /// Our modules and those of them that each may import. A module that is not listed here is a failure: decide where it stands.
    static let mayImport: [String: Set<String>] = [
        // Names borrowed from Apple: leaves, which know of ours nothing and of each other what Apple's do.
        "Combine": [],
        "UniformTypeIdentifiers": [],
        "CoreTransferable": ["Combine", "UniformTypeIdentifiers"],
        "CoreMedia": [],
        "CoreGraphics": [],
        "AVFoundation": ["Combine", "CoreMedia"],
        "OSLog": [],
        "Spatial": [],
        "os": ["OSLog"],
        "TestingCoreGraphics": [],

        "QRCodes": [],
        "Wire": [],
        "Sealing": ["Wire"],
        "Conversations": ["Sealing", "Wire"],
        "Transports": ["Conversations", "Wire"],
        "GroupActivities": ["Conversations", "Transports", "Sealing", "Wire", "AVFoundation", "Combine", "CoreGraphics", "CoreTransferable", "OSLog", "Spatial", "QRCodes"],
        "GroupActivitiesTesting": ["GroupActivities", "Conversations", "Relay", "Sealing", "Wire", "AVFoundation", "CoreMedia"],
        "Relay": ["Wire"],
        "RelayStorage": ["Relay", "Wire"],
        "RelayServer": ["Relay", "Wire"],
        "Simulation": ["Conversations", "Relay", "Sealing", "Wire"],
        "CommandLine": ["Conversations", "Transports", "Sealing", "RelayServer", "RelayStorage", "Relay", "Wire", "QRCodes"],
    ]
    static let cLibraries: [String: Set<String>] = [
        "CLws": ["RelayServer", "Transports"],
        "CCurl": ["Transports"],
        "CSQLite": ["RelayStorage"],
        "CLinux": ["RelayStorage", "CommandLine"],
        "COpenSSL": ["Relay", "Sealing"],
        "CQREncode": ["QRCodes"],
    ]

    /// The folder under `Sources`, or under `Sources/Apple`.
    static func module(of file: TextFile) -> String {
        let folders = file.path.split(separator: "/")
        return String(folders[1] == "Apple" ? folders[2] : folders[1])
    }

    @Test("every module imports only what stands below it")
    func modulesImportDownOnly() {
        #expect(Repository.swift.count > 20)
        for file in Repository.swift {
            let module = Self.module(of: file)
            guard let allowed = Self.mayImport[module] else {
                Issue.record("\(file): the module \(module) has no place among the directions of imports")
                continue
            }
            let ours = importedModules(of: file.text).intersection(Self.mayImport.keys)
            #expect(ours.subtracting([module]).isSubset(of: allowed), "\(file) imports \(ours.subtracting(allowed).sorted())")
        }
    }

    @Test("the relay never imports a module that seals, opens or knows activities")
    func theRelayCannotSeal() {
        let secret: Set<String> = ["Sealing", "Conversations", "GroupActivities", "CryptoKit", "Crypto"]
        for file in Repository.swift where ["Wire", "Relay", "RelayStorage", "RelayServer"].contains(Self.module(of: file)) {
            #expect(importedModules(of: file.text).isDisjoint(with: secret), "\(file)")
        }
    }

    @Test("each C library is named where it belongs, libwebsockets by one folder of the relay and one of the client's transports")
    func cLibrariesAreNamedInOnePlace() {
        var folders: Set<String> = []
        for file in Repository.swift {
            for library in importedModules(of: file.text).filter({ Self.cLibraries[$0] != nil }) {
                #expect(Self.cLibraries[library]!.contains(Self.module(of: file)), "\(file) imports \(library)")
                if library == "CLws" { folders.insert(file.path.split(separator: "/").dropLast().joined(separator: "/")) }
            }
        }
        #expect(Set(folders.map { $0.split(separator: "/")[1] }).count == folders.count, "\(folders.sorted())")
        #expect(folders.allSatisfy { $0.split(separator: "/").count == 3 }, "a folder inside a module, not \(folders.sorted())")
    }

    @Test("Wire and Relay do without Foundation")
    func rulesNeedNoFoundation() {
        for file in Repository.swift where ["Wire", "Relay"].contains(Self.module(of: file)) {
            #expect(importedModules(of: file.text).filter { $0.hasPrefix("Foundation") }.isEmpty, "\(file)")
        }
    }

    @Test("Web/groupactivities imports nothing from outside itself")
    func theLibraryKnowsNoApp() {
        let library = Repository.javaScript.filter { $0.path.hasPrefix("Web/groupactivities/") }
        #expect(library.count > 10)
        for file in library {
            for specifier in importedSpecifiers(of: file.text) {
                let target = specifier.hasPrefix(".") ? resolve(specifier, from: file.path) : nil
                #expect(target?.hasPrefix("Web/groupactivities/") == true, "\(file) imports \(specifier)")
            }
        }
    }

    @Test("every import of a module in Web leads to a file that exists")
    func importsLeadSomewhere() {
        // What a test imports it runs with; what it quotes is not its own.
        for file in Repository.javaScript where !file.path.hasPrefix("Web/tests/") {
            for specifier in importedSpecifiers(of: file.text) where !specifier.hasPrefix("node:") {
                let target = specifier.hasPrefix("/") ? "Web" + specifier : resolve(specifier, from: file.path)
                #expect(target.map(Repository.exists) == true, "\(file) imports \(specifier)")
            }
        }
    }

    @Test("an app uses the library by its index, and its limits, never by another module inside it")
    func appsUseTheFrontDoor() {
        for file in Repository.javaScript where !file.path.hasPrefix("Web/groupactivities/") && !file.path.hasPrefix("Web/tests/") {
            for specifier in importedSpecifiers(of: file.text) where specifier.contains("groupactivities/") {
                let isOpen = ["index.js", "limits.js"].contains { specifier.hasSuffix("groupactivities/\($0)") }
                #expect(isOpen, "\(file) imports \(specifier)")
            }
        }
    }

    @Test("in Web/groupactivities only transport.js names WebSocket or fetch")
    func onlyTheTransportTalks() {
        let doors = /\b(WebSocket|fetch|XMLHttpRequest|EventSource|sendBeacon|WebTransport|RTCPeerConnection)\b/
        for file in Repository.javaScript where file.path.hasPrefix("Web/groupactivities/") && file.path != "Web/groupactivities/transport.js" {
            let named = Repository.bareJavaScript[file.path]!.matches(of: doors).map { String($0.1) }
            #expect(named.isEmpty, "\(file) names \(Set(named).sorted())")
        }
        let transport = Repository.file("Web/groupactivities/transport.js")
        #expect(transport.map { !Repository.bareJavaScript[$0.path]!.matches(of: doors).isEmpty } == true)
    }

    @Test("nothing in Web turns text into markup or code")
    func textStaysText() {
        let doors = /\b(innerHTML|outerHTML|insertAdjacentHTML|document\.write|setHTMLUnsafe|eval\s*\(|new\s+Function)\b/
        for file in Repository.javaScript {
            let found = Repository.bareJavaScript[file.path]!.firstMatch(of: doors)?.1
            #expect(found == nil, "\(file)")
        }
    }
}

@Suite("Reading imports")
struct ImportReadingTests {
    @Test(
        "a Swift import is seen in every form",
        arguments: [
            "import Sealing", "@testable import Sealing", "public import Sealing", "@_spi(Testing) import Sealing", "import struct Sealing.Key", "    import Sealing.Keys",
            "@preconcurrency internal import Sealing",
        ])
    func swiftImports(line: String) {
        #expect(importedModules(of: "// why\n\(line)\nlet important = 1\n") == ["Sealing"])
    }

    @Test("words that only look like imports are none")
    func swiftWords() {
        #expect(importedModules(of: "// import Sealing\nlet text = \"x import Sealing\"\nimportant()\n").isEmpty)
    }

    @Test(
        "a JavaScript import is seen in every form",
        arguments: [
            "import { a } from '../gallery/a.js';", "import '../gallery/a.js';", "export * from \"../gallery/a.js\";", "await import('../gallery/a.js')",
            "new Worker(new URL('../gallery/a.js', import.meta.url))", "import {\n  a,\n} from '../gallery/a.js';",
        ])
    func javaScriptImports(line: String) {
        #expect(importedSpecifiers(of: "// from 'nowhere.js'\nconst s = 'http://x'; \(line)") == ["../gallery/a.js"])
    }

    @Test("a comment inside a string is text, a string inside a comment is none")
    func comments() {
        #expect(withoutComments("a('/* b */ // c'); // fetch('d')\n/* 'e' */f(`\\`// g`)") == "a('/* b */ // c'); \nf(`\\`// g`)")
    }

    @Test("a specifier is resolved from its file's folder")
    func specifiers() {
        #expect(resolve("../gallery/a.js", from: "Web/groupactivities/b.js") == "Web/gallery/a.js")
        #expect(resolve("./c.js", from: "Web/groupactivities/b.js") == "Web/groupactivities/c.js")
        #expect(resolve("../../../c.js", from: "Web/groupactivities/b.js") == nil)
    }
}
