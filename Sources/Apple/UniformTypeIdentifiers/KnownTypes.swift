// The types that everybody knows: identifier, what it conforms to, file name extensions, media types; the preferred one stands first.

enum KnownTypes {
    static func isKnown(_ identifier: String) -> Bool { identifiers.contains(identifier) }

    private static let identifiers = Set(table.split(separator: "\n").compactMap { $0.split(separator: "|").first.map(String.init) })

    static let table = """
        com.adobe.pdf|public.data public.composite-content|pdf|application/pdf
        com.adobe.postscript|public.text|ps|application/postscript
        com.adobe.raw-image|public.camera-raw-image|dng|image/x-adobe-dng
        com.apple.application-bundle|com.apple.application com.apple.bundle com.apple.package|app|
        com.apple.application|public.executable||
        com.apple.binary-property-list|com.apple.property-list||application/x-plist
        com.apple.bundle|public.directory||
        com.apple.coreaudio-format|public.audio|caf|audio/x-caf
        com.apple.disk-image|public.disk-image||
        com.apple.icns|public.image|icns|
        com.apple.live-photo|||
        com.apple.m4a-audio|public.audio|m4a|audio/x-m4a
        com.apple.m4v-video|public.movie|m4v|video/x-m4v
        com.apple.package|public.directory||
        com.apple.property-list|public.data|plist|
        com.apple.protected-mpeg-4-audio|public.audio|m4p|
        com.apple.quicktime-movie|public.movie|mov qt|video/quicktime
        com.apple.rich-text-format-directory|com.apple.rtfd||
        com.apple.rtfd|com.apple.package public.composite-content|rtfd|
        com.apple.webarchive|public.data public.composite-content|webarchive|application/x-webarchive
        com.apple.xml-property-list|public.xml com.apple.property-list||
        com.canon.cr2-raw-image|public.camera-raw-image|cr2|
        com.canon.cr3-raw-image|public.camera-raw-image|cr3|
        com.compuserve.gif|public.image|gif|image/gif
        com.fuji.raw-image|public.camera-raw-image|raf|
        com.microsoft.bmp|public.image|bmp|image/bmp
        com.microsoft.ico|public.image|ico|image/vnd.microsoft.icon
        com.microsoft.waveform-audio|public.audio|wav wave|audio/vnd.wave audio/wav audio/x-wav
        com.microsoft.word.doc|public.data public.composite-content|doc|application/msword
        com.netscape.javascript-source|public.source-code|js mjs|text/javascript
        com.nikon.raw-image|public.camera-raw-image|nef|
        com.pixar.universal-scene-description-mobile|com.pixar.universal-scene-description|usdz|model/vnd.usdz+zip
        com.pixar.universal-scene-description|public.3d-content public.data|usd|
        com.sony.arw-raw-image|public.camera-raw-image|arw|
        org.gnu.gnu-zip-archive|public.archive|gz gzip|application/gzip
        org.idpf.epub-container|public.data public.composite-content|epub|application/epub+zip
        org.matroska.mkv|public.movie|mkv|video/x-matroska
        org.openxmlformats.presentationml.presentation|public.data public.presentation|pptx|application/vnd.openxmlformats-officedocument.presentationml.presentation
        org.openxmlformats.spreadsheetml.sheet|public.data public.spreadsheet|xlsx|application/vnd.openxmlformats-officedocument.spreadsheetml.sheet
        org.openxmlformats.wordprocessingml.document|public.data public.composite-content|docx|application/vnd.openxmlformats-officedocument.wordprocessingml.document
        org.webmproject.webm|public.movie|webm|video/webm
        org.webmproject.webp|public.image|webp|image/webp
        org.xiph.flac|public.audio|flac|audio/flac
        org.xiph.ogg-audio|public.audio|ogg oga|audio/ogg
        org.xiph.opus|public.audio|opus|audio/opus
        public.3d-content|public.content||
        public.aiff-audio|public.audio|aiff aif|audio/aiff
        public.archive|public.data||
        public.audiovisual-content|public.data public.content||
        public.audio|public.audiovisual-content||
        public.avif|public.heif-standard|avif|image/avif
        public.avi|public.movie|avi|video/x-msvideo
        public.bzip2-archive|public.archive|bz2|application/x-bzip2
        public.c-header|public.source-code|h|
        public.c-plus-plus-source|public.source-code|cpp cc cxx|
        public.c-source|public.source-code|c|
        public.calendar-event|||
        public.camera-raw-image|public.image||
        public.comma-separated-values-text|public.delimited-values-text|csv|text/csv
        public.composite-content|public.content||
        public.contact|||
        public.content|||
        public.css|public.text|css|text/css
        public.database|||
        public.data|public.item||
        public.delimited-values-text|public.text||
        public.directory|public.item||
        public.disk-image|public.archive||
        public.executable|public.item||
        public.file-url|public.url||
        public.folder|public.directory||
        public.font|||
        public.heics|public.heic|heics|image/heic-sequence
        public.heic|public.heif-standard|heic|image/heic
        public.heif-standard|public.image||
        public.heif|public.heif-standard|heif|image/heif
        public.html|public.text|html htm|text/html
        public.image|public.data public.content||
        public.item|||
        public.jpeg-2000|public.image|jp2|image/jp2
        public.jpeg-xl|public.image|jxl|image/jxl
        public.jpeg|public.image|jpeg jpg jpe|image/jpeg
        public.json|public.text|json|application/json
        public.log|public.plain-text|log|
        public.m3u-playlist|public.text|m3u m3u8|application/vnd.apple.mpegurl
        public.message|||
        public.midi-audio|public.audio|mid midi|audio/midi
        public.movie|public.audiovisual-content||
        public.mp3|public.audio|mp3|audio/mpeg
        public.mpeg-2-video|public.video|m2v|
        public.mpeg-4-audio|public.mpeg-4 public.audio|mp4a|audio/mp4
        public.mpeg-4|public.movie|mp4 mpg4|video/mp4
        public.mpeg|public.movie|mpg mpeg|video/mpeg
        public.opentype-font|public.font|otf|font/otf
        public.plain-text|public.text|txt text|text/plain
        public.png|public.image|png|image/png
        public.presentation|public.composite-content||
        public.python-script|public.script|py|text/x-python
        public.rtf|public.text|rtf|text/rtf
        public.script|public.source-code||
        public.shell-script|public.script|sh|
        public.source-code|public.plain-text||
        public.spreadsheet|public.content||
        public.svg-image|public.image public.xml|svg|image/svg+xml
        public.swift-source|public.source-code|swift|
        public.symbolic-link|public.item||
        public.tab-separated-values-text|public.delimited-values-text|tsv|text/tab-separated-values
        public.tar-archive|public.archive|tar|application/x-tar
        public.text|public.data public.content||
        public.tiff|public.image|tiff tif|image/tiff
        public.truetype-ttf-font|public.font|ttf|font/ttf
        public.url|public.data||
        public.utf16-external-plain-text|public.plain-text||
        public.utf16-plain-text|public.plain-text||
        public.utf8-plain-text|public.plain-text||
        public.utf8-tab-separated-values-text|public.utf8-plain-text public.tab-separated-values-text||
        public.vcard|public.text public.contact|vcf|text/vcard
        public.video|public.movie||
        public.xml|public.text|xml|application/xml text/xml
        public.yaml|public.text|yaml yml|application/x-yaml
        public.zip-archive|public.data public.archive|zip|application/zip
        """
}
