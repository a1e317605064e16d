// The media types of the web client's files, by extension. What is not listed is not served.

enum MediaType {
    static func of(_ path: String) -> String? {
        guard let dot = path.lastIndex(of: ".") else { return nil }
        return switch path[path.index(after: dot)...].lowercased() {
        case "html": "text/html; charset=utf-8"
        case "js", "mjs": "text/javascript; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        case "json": "application/json"
        case "webmanifest": "application/manifest+json"
        case "svg": "image/svg+xml"
        case "png": "image/png"
        case "jpg", "jpeg": "image/jpeg"
        case "webp": "image/webp"
        case "ico": "image/x-icon"
        case "woff2": "font/woff2"
        case "wasm": "application/wasm"
        case "txt": "text/plain; charset=utf-8"
        case "map": "application/json"
        default: nil
        }
    }
}
