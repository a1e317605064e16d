// Times of day and dates, as the person's own clock has them.

import Foundation

enum Moment {
    static func clock() -> String { format(Date(), "HH:mm:ss") }

    static func day(milliseconds: Int) -> String { format(Date(timeIntervalSince1970: Double(milliseconds) / 1_000), "yyyy-MM-dd HH:mm") }

    private static func format(_ date: Date, _ pattern: String) -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.dateFormat = pattern
        return formatter.string(from: date)
    }
}
