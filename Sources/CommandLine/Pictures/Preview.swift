// Small JPEGs of pictures, made by another program when one is there: what a decoder does with a hostile file stays in that program.

import Glibc

enum Preview {
    /// As the gallery's (Web/gallery/README.md, "Metadata of a photo").
    static let sizeLimitBytes = 40_000
    static let edgePixels = 480
    /// Beyond this nothing is decoded: four bytes a pixel would be 480 MB.
    private static let pixelLimit = 120_000_000
    private static let timeLimitSeconds = 20
    private static let memoryLimitKilobytes = 1_500_000

    enum Maker: Equatable, Sendable {
        case vips
        case imageMagick(String)
    }

    /// `nil`: no program for it is installed.
    static let maker: Maker? = {
        if isInstalled("vipsthumbnail") { return .vips }
        return ["magick", "convert"].first(where: isInstalled).map { .imageMagick($0) }
    }()

    /// `nil` when it cannot be made; a photo without one is a plain tile.
    static func make(_ picture: PictureFile) -> [UInt8]? {
        guard let maker, picture.width * picture.height <= pixelLimit else { return nil }
        for (edge, quality) in [(edgePixels, 75), (edgePixels, 50), (320, 45), (200, 40)] {
            let command = command(maker, picture.format, edge: edge, quality: quality)
            // The picture comes by standard input: a name could be taken for an option or a command.
            let words = ["sh", "-c", #"ulimit -v "$0" -t 30 2>/dev/null; exec "$@""#, String(memoryLimitKilobytes)] + command
            guard let made = Subprocess.run(words, inputPath: picture.path, timeLimitSeconds: timeLimitSeconds), made.status == 0, made.output.starts(with: [0xff, 0xd8, 0xff]) else { return nil }
            if made.output.count <= sizeLimitBytes { return made.output }
        }
        return nil
    }

    static func command(_ maker: Maker, _ format: PictureFormat, edge: Int, quality: Int) -> [String] {
        switch maker {
        case .vips: return ["vipsthumbnail", "stdin", "--size", "\(edge)x\(edge)>", "--export-profile", "srgb", "-o", ".jpg[Q=\(quality),strip]"]
        case .imageMagick(let name):
            // The format is said so that no other decoder is tried; of an animation the first picture.
            let prefix = format == .raw ? "dng:-" : "\(format.rawValue):-[0]"
            return [
                name, "-limit", "memory", "512MiB", "-limit", "map", "512MiB", "-limit", "disk", "0", "-limit", "thread", "1", prefix, "-auto-orient", "-thumbnail", "\(edge)x\(edge)>",
                "-background", "white", "-flatten", "-strip", "-quality", "\(quality)", "jpeg:-",
            ]
        }
    }

    private static func isInstalled(_ name: String) -> Bool {
        let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/local/bin:/usr/bin:/bin"
        return path.split(separator: ":").contains { access("\($0)/\(name)", X_OK) == 0 }
    }
}
