// `swift run DrawTogether`: lines such as `# 3 4` draw a character at column 3 of row 4, for everybody; the canvas is shown after each change.

import Foundation
import GroupActivities

@main struct DrawTogether {
    @MainActor static func main() async {
        let canvas = Canvas()
        let showing = canvas.$strokes.sink { show($0) }
        do { _ = try await DrawTogetherActivity().activate() } catch { print("Drawing alone: \(error.localizedDescription)") }
        let lines = AsyncStream<String> { continuation in
            Thread.detachNewThread {
                while let line = readLine() { continuation.yield(line) }
                continuation.finish()
            }
        }
        for await line in lines {
            let words = line.split(separator: " ")
            guard words.count == 3, let character = words[0].first, let column = Int(words[1]), let row = Int(words[2]) else { continue }
            canvas.draw(String(character), column: column, row: row)
        }
        canvas.groupSession?.leave()
        try? await Task.sleep(for: .milliseconds(300))
        showing.cancel()
    }

    private static func show(_ strokes: [Stroke]) {
        var rows = Array(repeating: Array(repeating: Character(" "), count: 40), count: 12)
        for stroke in strokes where rows.indices.contains(stroke.row) && rows[0].indices.contains(stroke.column) {
            rows[stroke.row][stroke.column] = stroke.character.first ?? " "
        }
        print(rows.map { String($0) }.joined(separator: "\n"), terminator: "\n\n")
    }
}
