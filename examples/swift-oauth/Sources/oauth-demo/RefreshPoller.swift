import Foundation
import OAuthKit

/// Reloads what is on screen, on a timer or when the user pulls the list down.
///
/// The poller knows nothing about signing in; it calls the closure it was given and shows the result.
actor RefreshPoller<Content: Sendable & Equatable> {
    enum Trigger: Equatable, Sendable {
        case timer
        case pull(distance: Double)
    }

    struct Update: Sendable {
        let content: Content
        let trigger: Trigger
        let changed: Bool
    }

    /// A pull shorter than this is a scroll.
    private let pullThreshold = 64.0
    private let interval: TimeInterval
    private let clock: any Timekeeper
    private let reload: @Sendable () async throws -> Content
    private var shown: Content?

    init(
        every interval: TimeInterval,
        clock: any Timekeeper,
        reload: @escaping @Sendable () async throws -> Content
    ) {
        self.interval = interval
        self.clock = clock
        self.reload = reload
    }

    func refresh(_ trigger: Trigger) async throws -> Update? {
        if case .pull(let distance) = trigger, distance < pullThreshold { return nil }
        let content = try await reload()
        defer { shown = content }
        return Update(content: content, trigger: trigger, changed: content != shown)
    }

    /// Refreshes `rounds` times and reports each update.
    func run(rounds: Int, show: @Sendable (Update) -> Void) async throws {
        for round in 0..<rounds {
            if round > 0 { try await clock.pause(interval) }
            if let update = try await refresh(.timer) { show(update) }
        }
    }
}
