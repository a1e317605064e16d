// One connected participant in Swift without a terminal, told what to do line by line, so that a benchmark can time several of them.
//
// In: {"do":"create","relay":…} {"do":"join","link":…,"name":…} {"do":"enter"} {"do":"send","files":[…]} {"do":"receive","count":…,"into":…} {"do":"echo"} {"do":"leave"}
//     {"do":"gather","relay":…,"count":…}: so many participants in conversations of their own; {"do":"return"}: when all of them have come back, {"do":"arrived"}: or come again.
// Out, one line for each: {"did":…, …}. What is sent and received travels while further orders are obeyed; from `echo` on whatever another says is said back.

import Foundation

/// Past any buffer: who reads waits for the line.
@Sendable func say(_ report: some Encodable) throws { FileHandle.standardOutput.write(try JSONEncoder().encode(report) + [0x0a]) }

@Sendable func obey(_ order: Order, _ bench: Bench) async {
    do {
        try say(try await bench.obey(order))
        if order.do == "leave" { exit(0) }
    } catch {
        try? say(["failed": "\(error)"])
        exit(1)
    }
}

let bench = Bench()
let orders = AsyncStream<Data> { continuation in
    Thread.detachNewThread {
        while let line = readLine() { continuation.yield(Data(line.utf8)) }
        continuation.finish()
    }
}
for await line in orders {
    let order = try JSONDecoder().decode(Order.self, from: line)
    if ["send", "receive"].contains(order.do) { Task.detached { await obey(order, bench) } } else { await obey(order, bench) }
}
