// One connected participant in Swift without a terminal, told what to do line by line, so that a benchmark can time several of them.
//
// In: {"do":"create","relay":…} {"do":"join","link":…,"name":…} {"do":"enter"} {"do":"send","files":[…]} {"do":"receive","count":…,"into":…} {"do":"leave"}
// Out, one line for each: {"did":…, …}

import Foundation

/// Past any buffer: who reads waits for the line.
func say(_ report: some Encodable) throws { FileHandle.standardOutput.write(try JSONEncoder().encode(report) + [0x0a]) }

let bench = Bench()
while let line = readLine() {
    do {
        let order = try JSONDecoder().decode(Order.self, from: Data(line.utf8))
        let report = try await bench.obey(order)
        try say(report)
        if order.do == "leave" { exit(0) }
    } catch {
        try say(["failed": "\(error)"])
        exit(1)
    }
}
