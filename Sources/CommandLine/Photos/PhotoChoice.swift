// Finds the photos that somebody means by an ID, the beginning of one, or a name.

import Foundation

enum PhotoChoice {
    private static let shortestIDLength = 6

    /// In the order of the words, each photo once.
    static func find(_ words: [String], in photos: [Photo], isOneEach: Bool) throws(Program.Complaint) -> [Photo] {
        var found: [Photo] = []
        for word in words {
            let matches = find(word, in: photos)
            guard !matches.isEmpty else { throw Program.Complaint(exit: .notFound, text: "There is no photo \"\(ShownText.line(word))\". `hearth photos list` shows what there is.") }
            guard matches.count == 1 || !isOneEach else {
                throw Program.Complaint(
                    exit: .usage, text: "\"\(ShownText.line(word))\" is the name of \(matches.count) photos. Name one by its ID: \(matches.map(\.shortID).joined(separator: ", ")).")
            }
            found += matches.filter { match in !found.contains { $0.id == match.id } }
        }
        return found
    }

    /// An ID counts before a name; names are the same in either Unicode form.
    private static func find(_ word: String, in photos: [Photo]) -> [Photo] {
        let isID = word.utf8.count >= shortestIDLength && word.allSatisfy { $0.isHexDigit }
        let byID = isID ? photos.filter { $0.hexadecimalID.hasPrefix(word.lowercased()) } : []
        if !byID.isEmpty { return byID }
        let name = word.precomposedStringWithCanonicalMapping
        return photos.filter { $0.name.precomposedStringWithCanonicalMapping == name }
    }
}
