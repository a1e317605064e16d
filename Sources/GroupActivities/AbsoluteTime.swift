// Seconds by the clock on the wall, by the name with which apps space out their messages.

import Foundation

/// Seconds since the beginning of 2001. Apple: CoreFoundation/CFAbsoluteTime.
public typealias CFAbsoluteTime = Double

// swift-format-ignore: AlwaysUseLowerCamelCase
public func CFAbsoluteTimeGetCurrent() -> CFAbsoluteTime { Date().timeIntervalSinceReferenceDate }
