// What a coordinator needs of the world: somebody to carry its messages, a clock, and to be woken.

import CoreMedia
import Dispatch
import Foundation

/// Carries what coordinators tell each other. Whoever makes one calls the coordinator's `receive(_:from:)`, `participantsDidChange(_:)`
/// and, at the end, `disconnect()`.
package protocol PlaybackMedium: AnyObject, Sendable {
    var localParticipant: UUID { get }
    /// Who is there besides the local participant.
    var otherParticipants: Set<UUID> { get }
    /// Sends to one participant, or to all others. Reliable messages arrive; of the others some may be lost.
    func send(_ message: PlaybackMessage, to recipient: UUID?, isReliable: Bool)
}

/// Where time comes from for players and coordinators made within.
package struct PlaybackTime: Sendable {
    package var clock: CMClock
    /// Runs an action once, so many nanoseconds from now, unless the answer is called before.
    package var schedule: @Sendable (_ afterNanoseconds: Int64, _ action: @escaping @Sendable () -> Void) -> @Sendable () -> Void

    package init(clock: CMClock, schedule: @escaping @Sendable (Int64, @escaping @Sendable () -> Void) -> @Sendable () -> Void) {
        self.clock = clock
        self.schedule = schedule
    }

    /// The host clock, and the main queue: delegates that belong to the main actor are called where they are.
    package static var host: PlaybackTime {
        PlaybackTime(clock: .hostTimeClock) { delay, action in
            let item = DispatchWorkItem(block: action)
            DispatchQueue.main.asyncAfter(deadline: .now() + .nanoseconds(Int(max(0, delay))), execute: item)
            let carried = CarriedItem(item: item)
            return { carried.item.cancel() }
        }
    }

    private struct CarriedItem: @unchecked Sendable { let item: DispatchWorkItem }

    @TaskLocal package static var current: PlaybackTime?

    var nowNanoseconds: Int64 { clock.time.convertScale(1_000_000_000, method: .default).value }
}

extension CMTime {
    init(nanoseconds: Int64) { self.init(value: nanoseconds, timescale: 1_000_000_000) }
    var nanoseconds: Int64 { convertScale(1_000_000_000, method: .default).value }
}
