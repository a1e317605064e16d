// Figures in Prometheus' text form. Numbers only: no identifier of anybody or anything.

import Glibc
import Relay
import Wire

extension Front {
    func metricsText() -> String {
        let relay = hub.assumeIsolated { $0.figures }
        var text = MetricsWriter()
        text.add("hearth_conversations", "gauge", relay.conversations)
        text.add("hearth_sessions", "gauge", relay.sessions)
        text.add("hearth_participants", "gauge", relay.participants)
        text.add("hearth_participant_connections", "gauge", relay.connections)
        text.add("hearth_waiting", "gauge", relay.waiting)
        text.add("hearth_reserved_bytes", "gauge", relay.reservedBytes)
        text.add("hearth_log_bytes", "gauge", relay.logBytes)
        text.add("hearth_participant_connections_total", "counter", relay.connectionsOpened)
        text.add("hearth_records_total", "counter", relay.records)
        text.add("hearth_samples_total", "counter", relay.samples)
        text.add("hearth_samples_dropped_total", "counter", relay.samplesDropped)
        text.add("hearth_entries_total", "counter", relay.entries)
        text.add("hearth_removals_total", "counter", relay.removals)
        text.add("hearth_refused_total", "counter", relay.refused)
        text.add("hearth_knocks_total", "counter", relay.knocks)
        text.add("hearth_store_failures_total", "counter", relay.storeFailures)
        text.add("hearth_frame_bytes_received_total", "counter", relay.receivedBytes)
        text.add("hearth_frame_bytes_sent_total", "counter", relay.sentBytes)
        text.add("hearth_batches_sent_total", "counter", relay.sentBatches)
        text.add(
            "hearth_closed_total", "counter",
            CloseReason.allCases.compactMap { reason in relay.closed[reason].map { (labels: "code=\"\(reason.rawValue)\"", value: $0) } })
        text.add("hearth_connections", "gauge", census.count)
        text.add("hearth_connections_refused_total", "counter", figures.connectionsRefused)
        text.add("hearth_exchanges", "gauge", exchangeCount)
        text.add("hearth_uploads", "gauge", coming.uploads.count)
        text.add("hearth_parked_requests", "gauge", coming.parkedCount)
        text.add("hearth_parts_stored_total", "counter", figures.partsStored)
        text.add("hearth_parts_broken_off_total", "counter", figures.partsBrokenOff)
        text.add("hearth_body_bytes_received_total", "counter", figures.bodyBytesReceived)
        text.add("hearth_body_bytes_sent_total", "counter", figures.bodyBytesSent)
        let answers = figures.answers.sorted { ($0.key.route, $0.key.method, $0.key.status) < ($1.key.route, $1.key.method, $1.key.status) }
        text.add(
            "hearth_requests_total", "counter",
            answers.map { (labels: "method=\"\($0.key.method)\",route=\"\($0.key.route)\",status=\"\($0.key.status)\"", value: $0.value) })
        text.add("process_resident_memory_bytes", "gauge", ProcessFigures.residentBytes)
        text.add("process_open_fds", "gauge", ProcessFigures.openDescriptorCount)
        return text.text
    }
}

struct MetricsWriter {
    private(set) var text = ""

    mutating func add(_ name: String, _ type: String, _ value: some BinaryInteger) { text += "# TYPE \(name) \(type)\n\(name) \(value)\n" }

    mutating func add(_ name: String, _ type: String, _ values: [(labels: String, value: UInt64)]) {
        text += "# TYPE \(name) \(type)\n"
        for value in values { text += "\(name){\(value.labels)} \(value.value)\n" }
    }
}

enum ProcessFigures {
    static var residentBytes: Int {
        guard let file = fopen("/proc/self/statm", "r") else { return 0 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 128)
        guard fgets(&line, Int32(line.count), file) != nil else { return 0 }
        let words = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self).split(separator: " ")
        return words.count > 1 ? (Int(words[1]) ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE))) : 0
    }

    static var openDescriptorCount: Int {
        guard let directory = opendir("/proc/self/fd") else { return 0 }
        defer { closedir(directory) }
        var count = -3  // ".", ".." and the directory's own
        while readdir(directory) != nil { count += 1 }
        return count
    }
}
