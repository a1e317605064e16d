// What a file that imports GroupActivities alone may use besides, as on Apple's systems.

@_exported import Combine
@_exported import CoreTransferable
@_exported import Foundation
@_exported import Observation
@_exported import _Concurrency
