// A participant in Swift that does what it is told and tells what it hears and sees, one line of JSON for each: `performer.mjs` is the same in JavaScript.

import Foundation

let turn = NSLock()
let performer = Performer { told in
    guard let line = try? JSONEncoder().encode(told) else { return }
    // Past any buffer, whole lines only: what was told before this program is killed has been told.
    turn.withLock { FileHandle.standardOutput.write(line + [0x0a]) }
}
while let line = readLine() {
    guard let order = try? JSONDecoder().decode(Order.self, from: Data(line.utf8)) else {
        await performer.complain("an order that cannot be read: \(line)")
        continue
    }
    guard order.do != "leave" else {
        await performer.obey(order)
        exit(0)
    }
    await performer.begin(order)
}
