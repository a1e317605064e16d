// The codec against the vectors that an implementation in another language wrote (Vectors/wire/frames.json).

import Foundation
import Testing
import Wire

struct FrameVectors: Decodable {
    struct Good: Decodable {
        let name: String
        let isCanonical: Bool
        let hex: String
        let frames: [FrameVector]
    }
    struct Broken: Decodable {
        let name: String
        let hex: String
        let close: UInt16
    }
    let good: [Good]
    let broken: [Broken]

    static func load() throws -> FrameVectors {
        let path = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().appending(path: "Vectors/wire/frames.json")
        return try JSONDecoder().decode(FrameVectors.self, from: Data(contentsOf: path))
    }
}

@Suite("Frames and their vectors") struct VectorTests {
    @Test("every good message reads as the frames that the vector tells") func good() throws {
        let vectors = try FrameVectors.load()
        #expect(vectors.good.count > 50)
        for vector in vectors.good {
            let expected = try vector.frames.map { try $0.frame() }
            #expect(try Frame.decode(message: bytes(hex: vector.hex)) == expected, "\(vector.name)")
        }
    }

    @Test("every canonical message is written with exactly the vector's bytes") func canonical() throws {
        for vector in try FrameVectors.load().good where vector.isCanonical {
            #expect(Frame.encode(try vector.frames.map { try $0.frame() }) == bytes(hex: vector.hex), "\(vector.name)")
        }
    }

    @Test("every broken message is refused with the vector's close reason") func broken() throws {
        let vectors = try FrameVectors.load()
        #expect(vectors.broken.count > vectors.good.count)
        for vector in vectors.broken {
            #expect("\(vector.name)") {
                _ = try Frame.decode(message: bytes(hex: vector.hex))
            } throws: { error in
                (error as? FrameError)?.closeReason.rawValue == vector.close
            }
        }
    }
}
