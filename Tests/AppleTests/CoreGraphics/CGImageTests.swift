// The stand-in for pictures: sizes are read, and bytes that are no picture are refused.

import CoreGraphics
import Foundation
import Testing

@Suite struct CGImageTests {
    private static let png = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]) + Data("IHDR".utf8) + Data([0, 0, 1, 0, 0, 0, 0, 64, 8, 6, 0, 0, 0])
    private static let gif = Data("GIF89a".utf8) + Data([3, 0, 5, 0])
    private static let jpeg = Data([0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 1, 2, 0xFF, 0xC2, 0, 11, 8, 0, 20, 0, 30, 1, 1, 1, 1])
    private static let webp = Data("RIFF".utf8) + Data([0, 0, 0, 0]) + Data("WEBPVP8X".utf8) + Data([10, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 19, 0, 0])
    private static let lossless = Data("RIFF".utf8) + Data([0, 0, 0, 0]) + Data("WEBPVP8L".utf8) + Data([5, 0, 0, 0, 0x2F, 0x09, 0xC0, 0x04, 0x00])

    @Test(arguments: [(png, 256, 64), (gif, 3, 5), (jpeg, 30, 20), (webp, 10, 20), (lossless, 10, 20)])
    func `the size of a picture is read from its bytes`(data: Data, width: Int, height: Int) throws {
        let image = try #require(CGImage(encodedData: data))
        #expect(image.width == width)
        #expect(image.height == height)
        #expect(image.encodedData == data)
        #expect(image == CGImage(encodedData: data))
    }

    @Test(arguments: [png, gif, jpeg, webp, lossless])
    func `a picture that is cut short is none, wherever it is cut`(data: Data) {
        for length in 0..<min(data.count, 10) { #expect(CGImage(encodedData: data.prefix(length)) == nil) }
    }

    @Test func `bytes that are no picture are refused`() {
        #expect(CGImage(encodedData: Data("hello, this is a text file".utf8)) == nil)
        #expect(CGImage(encodedData: Data([0xFF, 0xD8, 0xFF, 0xC0, 0, 0])) == nil)
        #expect(CGDataProvider(data: Self.gif).flatMap { CGImage(pngDataProviderSource: $0, decode: nil, shouldInterpolate: true, intent: .defaultIntent) } == nil)
    }
}
