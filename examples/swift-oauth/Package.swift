// swift-tools-version: 5.9
import PackageDescription

let package = Package(
    name: "swift-oauth",
    platforms: [.macOS(.v12), .iOS(.v15)],
    products: [
        .library(name: "OAuthKit", targets: ["OAuthKit"]),
        .executable(name: "oauth-demo", targets: ["oauth-demo"]),
    ],
    targets: [
        .target(name: "OAuthKit"),
        .executableTarget(name: "oauth-demo", dependencies: ["OAuthKit"]),
        .testTarget(name: "OAuthKitTests", dependencies: ["OAuthKit"]),
    ]
)
