// Notifications, one after the other.

import Combine
import Foundation
import Testing

@Suite struct NotificationSequenceTests {
    private let center = NotificationCenter()
    private let name = Notification.Name("rang")

    @Test func `notifications come in order from the moment of iteration, of the object that was asked for`() async {
        let (bell, other) = (NSObject(), NSObject())
        center.post(name: name, object: bell, userInfo: ["count": 0])
        var rings = center.notifications(named: name, object: bell).makeAsyncIterator()
        for count in 1...3 {
            center.post(name: name, object: other, userInfo: ["count": -count])
            center.post(name: name, object: bell, userInfo: ["count": count])
        }
        for count in 1...3 { #expect(await rings.next()?.userInfo?["count"] as? Int == count) }
    }

    @Test func `a loop over notifications ends when its task is cancelled`() async {
        let (center, name) = (center, name)
        let (heard, tell) = AsyncStream.makeStream(of: Int.self)
        let loop = Task {
            for await note in center.notifications(named: name) { tell.yield(note.userInfo?["count"] as? Int ?? -1) }
        }
        // Until the loop has begun to listen nothing is heard: ring until something is.
        let ringing = Task {
            while !Task.isCancelled {
                center.post(name: name, object: nil, userInfo: ["count": 1])
                await Task.yield()
            }
        }
        for await count in heard {
            #expect(count == 1)
            break
        }
        ringing.cancel()
        loop.cancel()
        await loop.value
    }
}
