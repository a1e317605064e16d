// Texts that activities name themselves with, with and without translations.

import GroupActivities
import Testing

@Suite struct LocalizedTextTests {
    private let name = "Ada %@"
    private let count = 3

    @Test func `a text without a translation stands for itself, with its values`() {
        #expect(String(localized: "Draw Together") == "Draw Together" && String(localized: "50%") == "50%")
        #expect(String(localized: "100% \(name) has \(count) of \(UInt8(4)), \(0.5, specifier: "%.1f")", comment: "the score") == "100% Ada %@ has 3 of 4, 0.5")
        #expect(String(localized: "greeting", defaultValue: "Hello \(name)") == "Hello Ada %@")
    }

    @Test func `a bundle's translation puts the values where it wants them`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).bundle", directoryHint: .isDirectory)
        defer { try? FileManager.default.removeItem(at: folder) }
        let language = folder.appending(path: "en.lproj", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: language, withIntermediateDirectories: true)
        let table = #""%@ has %lld" = "%2$lld for %1$@, 100%%"; "greeting" = "Hi %@ and %@"; "plain" = "simple";"#
        try Data(table.utf8).write(to: language.appending(path: "Localizable.strings"))
        let bundle = try #require(Bundle(url: folder))
        #expect(String(localized: "\(name) has \(count)", bundle: bundle) == "3 for Ada %@, 100%")
        #expect(String(localized: "greeting", defaultValue: "Hello \(name)", bundle: bundle) == "Hi Ada %@ and ")
        #expect(String(localized: "plain", bundle: bundle) == "simple" && String(localized: "other", bundle: bundle) == "other")
    }

    @Test func `an activity's title is written as apps write it`() {
        var metadata = GroupActivityMetadata()
        metadata.title = String(localized: "Watch \(name)")
        #expect(metadata.title == "Watch Ada %@")
    }
}
