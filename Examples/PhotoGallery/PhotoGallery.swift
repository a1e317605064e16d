// `swift run PhotoGallery [--save FOLDER] [FILE …]`: shares photos with the conversation of HEARTH_INVITATION until its input ends.

import Foundation
import GroupActivities

@main struct PhotoGallery {
    @MainActor static func main() async {
        var files = Array(CommandLine.arguments.dropFirst())
        var folder: URL?
        if let option = files.firstIndex(of: "--save"), option + 1 < files.count {
            folder = URL(filePath: files[option + 1])
            files.removeSubrange(option...option + 1)
        }
        let model = AppModel(name: ProcessInfo.processInfo.environment["HEARTH_NAME"] ?? NSUserName())
        model.onImage = { image in
            let name = image.details?.name ?? ""
            print("\(image.details?.owner ?? "Somebody") shares \(name.isEmpty ? image.id : name) (\(image.imageData.count) bytes)")
            if let folder { save(image, into: folder) }
        }
        await model.share()
        for path in files {
            guard let data = try? Data(contentsOf: URL(filePath: path)) else {
                print("\(path) cannot be read")
                continue
            }
            await model.add(data, name: URL(filePath: path).lastPathComponent)
        }
        for await line in lines() {
            if let data = try? Data(contentsOf: URL(filePath: line)) { await model.add(data, name: URL(filePath: line).lastPathComponent) }
        }
        model.sessionController?.session.leave()
        try? await Task.sleep(for: .milliseconds(300))
    }

    /// A name from a stranger becomes a file only by its last part, and never takes the place of another.
    private static func save(_ image: DisplayImage, into folder: URL) {
        let name = URL(filePath: "/" + (image.details?.name ?? "")).lastPathComponent
        let file = folder.appending(path: "\(image.id.filter { $0.isLetter || $0.isNumber || $0 == "-" })-\(name == "/" ? "photo" : name)")
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        do { try image.imageData.write(to: file, options: .withoutOverwriting) } catch { print("\(file.lastPathComponent) cannot be written") }
    }

    private static func lines() -> AsyncStream<String> {
        AsyncStream { continuation in
            Thread.detachNewThread {
                while let line = readLine() { continuation.yield(line) }
                continuation.finish()
            }
        }
    }
}
