// A stand-in for CoreGraphics' image on Linux: the encoded bytes of a picture, which is what travels and what Linux programs have.

@_exported import Foundation

/// An immutable picture, kept as the encoded bytes (JPEG, PNG, …) that it was made from; nothing is decoded. Apple: CoreGraphics/CGImage.
public final class CGImage: Hashable, Sendable {
    /// The picture as a JPEG, PNG, GIF or WebP file.
    public let encodedData: Data
    public let width: Int
    public let height: Int

    /// Nil where the bytes are none of the formats whose size can be read. Not in Apple's framework, where pictures come from ImageIO.
    public init?(encodedData: Data) {
        guard let size = PictureSize(encodedData) else { return nil }
        self.encodedData = encodedData
        width = size.width
        height = size.height
    }

    /// A picture from a PNG file's bytes that a provider holds. Apple: CoreGraphics/CGImage/init(pngDataProviderSource:decode:shouldInterpolate:intent:).
    public convenience init?(pngDataProviderSource source: CGDataProvider, decode: UnsafePointer<CGFloat>?, shouldInterpolate: Bool, intent: CGColorRenderingIntent) {
        guard source.data.starts(with: PictureSize.pngSignature) else { return nil }
        self.init(encodedData: source.data)
    }

    /// The same of a JPEG file's bytes. Apple: CoreGraphics/CGImage/init(jpegDataProviderSource:decode:shouldInterpolate:intent:).
    public convenience init?(jpegDataProviderSource source: CGDataProvider, decode: UnsafePointer<CGFloat>?, shouldInterpolate: Bool, intent: CGColorRenderingIntent) {
        guard source.data.starts(with: [0xFF, 0xD8]) else { return nil }
        self.init(encodedData: source.data)
    }

    public static func == (left: CGImage, right: CGImage) -> Bool { left === right || left.encodedData == right.encodedData }
    public func hash(into hasher: inout Hasher) { hasher.combine(encodedData) }
}

/// Bytes for a picture. Apple: CoreGraphics/CGDataProvider.
public final class CGDataProvider: Sendable {
    public let data: Data
    public init?(data: Data) { self.data = data }
    public convenience init?(url: URL) {
        guard let data = try? Data(contentsOf: url) else { return nil }
        self.init(data: data)
    }
}

/// How colours that cannot be shown are replaced; without effect here. Apple: CoreGraphics/CGColorRenderingIntent.
public enum CGColorRenderingIntent: Int32, Sendable {
    case defaultIntent, absoluteColorimetric, relativeColorimetric, perceptual, saturation
}
