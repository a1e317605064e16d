// swift-tools-version:6.0
import PackageDescription

// The targets and their arrows are the architecture: what must not know a thing cannot import it.
// Relay and RelayServer never see Sealing: that line is the privacy claim.
let package = Package(
    name: "Hearth",
    products: [
        .executable(name: "hearth", targets: ["CommandLine"]),
        .library(name: "GroupActivities", targets: ["GroupActivities"]),
        .library(name: "GroupActivitiesTesting", targets: ["GroupActivitiesTesting"]),
    ],
    targets: [
        .systemLibrary(name: "CLws", pkgConfig: "libwebsockets", providers: [.apt(["libwebsockets-dev", "libev-dev", "libwebsockets-evlib-ev"])]),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "CQREncode", pkgConfig: "libqrencode", providers: [.apt(["libqrencode-dev"])]),
        .systemLibrary(name: "CLinux"),

        .target(name: "Combine", path: "Sources/Apple/Combine"),
        .target(name: "UniformTypeIdentifiers", path: "Sources/Apple/UniformTypeIdentifiers"),
        .target(name: "CoreTransferable", dependencies: ["Combine", "UniformTypeIdentifiers"], path: "Sources/Apple/CoreTransferable"),
        .target(name: "CoreMedia", path: "Sources/Apple/CoreMedia"),
        .target(name: "AVFoundation", dependencies: ["Combine", "CoreMedia"], path: "Sources/Apple/AVFoundation"),
        .target(name: "_Testing_CoreGraphics", path: "Sources/Apple/TestingCoreGraphics"),
        .target(name: "CoreGraphics", dependencies: ["_Testing_CoreGraphics"], path: "Sources/Apple/CoreGraphics"),
        .target(name: "Spatial", path: "Sources/Apple/Spatial"),
        .systemLibrary(name: "osModule", path: "Sources/Apple/osModule"),
        .target(name: "OSLog", dependencies: ["osModule"], path: "Sources/Apple/OSLog"),
        .target(name: "os", dependencies: ["OSLog"], path: "Sources/Apple/os"),

        .target(name: "QRCodes", dependencies: ["CQREncode"]),
        .target(name: "Wire"),
        .target(name: "Sealing", dependencies: ["Wire", "COpenSSL"]),
        .target(name: "Conversations", dependencies: ["Sealing", "Wire"]),
        .target(name: "Transports", dependencies: ["Conversations", "Wire", "CLws", "CCurl"]),
        .target(
            name: "GroupActivities",
            dependencies: ["Conversations", "Transports", "Sealing", "Wire", "Combine", "CoreGraphics", "CoreTransferable", "OSLog", "Spatial", "os", "AVFoundation", "QRCodes"]),
        .target(name: "GroupActivitiesTesting", dependencies: ["GroupActivities", "AVFoundation", "CoreMedia", "Conversations", "Relay", "Sealing", "Wire"]),
        .target(name: "Relay", dependencies: ["Wire", "COpenSSL"]),
        .target(name: "RelayStorage", dependencies: ["Relay", "Wire", "CSQLite", "CLinux"]),
        .target(name: "RelayServer", dependencies: ["Relay", "Wire", "CLws"]),
        .executableTarget(name: "Simulation", dependencies: ["Conversations", "Relay", "Sealing", "Wire"]),
        .executableTarget(
            name: "CommandLine", dependencies: ["Conversations", "Transports", "Sealing", "RelayServer", "RelayStorage", "Relay", "Wire", "QRCodes", "CLinux"]),

        .executableTarget(name: "BenchmarkParticipant", dependencies: ["Conversations", "Transports", "Sealing", "Wire"], path: "Benchmarks/Participant"),

        .executableTarget(
            name: "PhotoGallery", dependencies: ["GroupActivities", "CoreTransferable", "CoreGraphics", "OSLog", "UniformTypeIdentifiers"], path: "Examples/PhotoGallery"),
        .executableTarget(name: "DrawTogether", dependencies: ["GroupActivities"], path: "Examples/DrawTogether"),
        .executableTarget(name: "WatchTogether", dependencies: ["GroupActivities", "AVFoundation"], path: "Examples/WatchTogether"),
        .executableTarget(name: "ListenTogether", dependencies: ["GroupActivities", "Combine"], path: "Examples/ListenTogether"),

        // What the tutorials come to, compiled and tested as a reader has it.
        .executableTarget(name: "Lunch", dependencies: ["GroupActivities"], path: "Sources/GroupActivities/GroupActivities.docc/Code/Lunch"),
        .executableTarget(name: "MixedParticipant", dependencies: ["GroupActivities"], path: "Tests/mixed/Participant"),
        .executableTarget(name: "CrashPerformer", dependencies: ["Conversations", "Transports", "Sealing", "Wire"], path: "Tests/crash/Performer"),
        .target(name: "StoreContracts", dependencies: ["Relay", "Wire"], path: "Tests/StoreContracts"),
        .testTarget(name: "WireTests", dependencies: ["Wire"]),
        .testTarget(name: "SealingTests", dependencies: ["Sealing", "Wire"]),
        .testTarget(name: "ConversationsTests", dependencies: ["Conversations", "Relay", "Sealing", "Wire"]),
        .testTarget(
            name: "TransportsTests", dependencies: ["Transports", "Conversations", "RelayServer", "RelayStorage", "Relay", "Sealing", "Wire"]),
        .testTarget(name: "RelayTests", dependencies: ["Relay", "StoreContracts", "Wire"]),
        .testTarget(name: "RelayStorageTests", dependencies: ["RelayStorage", "Relay", "StoreContracts", "Wire"]),
        .testTarget(name: "RelayServerTests", dependencies: ["CommandLine", "RelayServer", "RelayStorage", "Relay", "Wire"]),
        .testTarget(name: "CommandLineTests", dependencies: ["CommandLine", "Conversations", "Sealing", "Wire"]),
        .testTarget(name: "SimulationTests", dependencies: ["Simulation", "Relay", "Wire"]),
        .testTarget(name: "CombineTests", dependencies: ["Combine"], path: "Tests/AppleTests/Combine"),
        .testTarget(name: "UniformTypeIdentifiersTests", dependencies: ["UniformTypeIdentifiers"], path: "Tests/AppleTests/UniformTypeIdentifiers"),
        .testTarget(name: "CoreTransferableTests", dependencies: ["CoreTransferable", "Combine"], path: "Tests/AppleTests/CoreTransferable"),
        .testTarget(name: "CoreMediaTests", dependencies: ["CoreMedia"], path: "Tests/AppleTests/CoreMedia"),
        .testTarget(name: "AVFoundationTests", dependencies: ["AVFoundation", "Combine"], path: "Tests/AppleTests/AVFoundation"),
        .testTarget(name: "CoreGraphicsTests", dependencies: ["CoreGraphics"], path: "Tests/AppleTests/CoreGraphics"),
        .testTarget(name: "SpatialTests", dependencies: ["Spatial"], path: "Tests/AppleTests/Spatial"),
        .testTarget(name: "OSLogTests", dependencies: ["OSLog", "os"], path: "Tests/AppleTests/OSLog"),
        .testTarget(name: "GroupActivitiesTests", dependencies: ["GroupActivities", "GroupActivitiesTesting", "QRCodes"]),
        .testTarget(
            name: "GroupActivitiesSwift5Tests", dependencies: ["GroupActivities", "GroupActivitiesTesting"], swiftSettings: [.swiftLanguageMode(.v5)]),
        .testTarget(
            name: "ExampleTests",
            dependencies: ["PhotoGallery", "DrawTogether", "WatchTogether", "ListenTogether", "GroupActivities", "GroupActivitiesTesting", "AVFoundation"]),
        .testTarget(
            name: "LunchTests", dependencies: ["Lunch", "GroupActivities", "GroupActivitiesTesting"],
            path: "Sources/GroupActivitiesTesting/GroupActivitiesTesting.docc/Code/LunchTests"),
        .testTarget(name: "TutorialTests"),
        .testTarget(name: "HouseTests"),
    ],
    swiftLanguageModes: [.v6]
)
