// How much a subscriber is ready to take: the unit of back pressure.

/// Where subscribers and what they speak of live. Apple: Combine/Subscribers.
public enum Subscribers {}

extension Subscribers {
    /// A number of values, or no limit. Sums saturate at unlimited, differences at none. Apple: Combine/Subscribers/Demand.
    public struct Demand: Equatable, Comparable, Hashable, Codable, Sendable, CustomStringConvertible {
        private let count: UInt

        private init(count: UInt) { self.count = count }

        public static let unlimited = Demand(count: .max)
        public static let none = Demand(count: 0)

        /// A demand for at most `value` values, which must not be negative.
        public static func max(_ value: Int) -> Demand {
            precondition(value >= 0, "a demand cannot be negative, \(value) was given")
            return Demand(count: UInt(value))
        }

        /// The number of values, or nil where there is no limit.
        public var max: Int? { self == .unlimited ? nil : Int(clamping: count) }

        public var description: String { max.map { "max(\($0))" } ?? "unlimited" }

        public static func + (left: Demand, right: Demand) -> Demand {
            let (sum, overflow) = left.count.addingReportingOverflow(right.count)
            return overflow ? .unlimited : Demand(count: sum)
        }

        public static func - (left: Demand, right: Demand) -> Demand {
            if left == .unlimited { return .unlimited }
            return left.count <= right.count ? .none : Demand(count: left.count - right.count)
        }

        public static func * (left: Demand, right: Int) -> Demand {
            if left == .none || right == 0 { return .none }
            let (product, overflow) = left.count.multipliedReportingOverflow(by: Demand.max(right).count)
            return overflow ? .unlimited : Demand(count: product)
        }

        public static func + (left: Demand, right: Int) -> Demand { right < 0 ? left - Demand(count: right.magnitude) : left + .max(right) }
        public static func - (left: Demand, right: Int) -> Demand { right < 0 ? left + Demand(count: right.magnitude) : left - .max(right) }
        public static func += (left: inout Demand, right: Demand) { left = left + right }
        public static func += (left: inout Demand, right: Int) { left = left + right }
        public static func -= (left: inout Demand, right: Demand) { left = left - right }
        public static func -= (left: inout Demand, right: Int) { left = left - right }
        public static func *= (left: inout Demand, right: Int) { left = left * right }

        public static func < (left: Demand, right: Demand) -> Bool { left.count < right.count }
        public static func == (left: Demand, right: Int) -> Bool { left.max == right }
        public static func != (left: Demand, right: Int) -> Bool { left.max != right }
        public static func > (left: Demand, right: Int) -> Bool { left.max.map { $0 > right } ?? true }
        public static func >= (left: Demand, right: Int) -> Bool { left.max.map { $0 >= right } ?? true }
        public static func < (left: Demand, right: Int) -> Bool { left.max.map { $0 < right } ?? false }
        public static func <= (left: Demand, right: Int) -> Bool { left.max.map { $0 <= right } ?? false }
    }

    /// How a publisher ended. Apple: Combine/Subscribers/Completion.
    public enum Completion<Failure: Error> {
        case finished
        case failure(Failure)
    }
}

extension Subscribers.Completion: Equatable where Failure: Equatable {}
extension Subscribers.Completion: Hashable where Failure: Hashable {}
extension Subscribers.Completion: Sendable where Failure: Sendable {}

extension Subscribers.Completion {
    func mapError<Other: Error>(_ transform: (Failure) -> Other) -> Subscribers.Completion<Other> {
        switch self {
        case .finished: .finished
        case .failure(let error): .failure(transform(error))
        }
    }
}
