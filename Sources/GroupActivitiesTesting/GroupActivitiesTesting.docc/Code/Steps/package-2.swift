// swift-tools-version:6.0
import PackageDescription

let package = Package(
    name: "Lunch",
    dependencies: [
        .package(path: "../hearth")
    ],
    targets: [
        .executableTarget(
            name: "Lunch",
            dependencies: [
                // On Apple's systems the name stands for Apple's own framework, and nothing is needed.
                .product(name: "GroupActivities", package: "hearth", condition: .when(platforms: [.linux]))
            ]),
        .testTarget(
            name: "LunchTests",
            dependencies: [
                "Lunch",
                .product(name: "GroupActivitiesTesting", package: "hearth", condition: .when(platforms: [.linux])),
            ]),
    ]
)
