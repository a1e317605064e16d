// The parts that are on their way in, and the requests that wait for one to begin.

import Relay

/// On the loop's thread only.
final class ComingParts {
    private(set) var uploads: [PartName: UploadExchange] = [:]
    private var parked: [PartName: [DownloadExchange]] = [:]

    func add(_ upload: UploadExchange) { uploads[upload.part] = upload }

    func remove(_ upload: UploadExchange) {
        if uploads[upload.part] === upload { uploads[upload.part] = nil }
    }

    func park(_ download: DownloadExchange) { parked[download.part, default: []].append(download) }

    func unpark(_ download: DownloadExchange) {
        parked[download.part]?.removeAll { $0 === download }
        if parked[download.part]?.isEmpty == true { parked[download.part] = nil }
    }

    /// Those who have waited for `part`; they wait no longer.
    func takeParked(for part: PartName) -> [DownloadExchange] { parked.removeValue(forKey: part) ?? [] }

    var parkedCount: Int { parked.values.reduce(0) { $0 + $1.count } }
}
