import Foundation

/// Where the library gets the time from, and how it waits.
public protocol Timekeeper: Sendable {
    var now: Date { get }
    func pause(_ seconds: TimeInterval) async throws
}

extension Timekeeper {
    public func pause(_ seconds: TimeInterval) async throws {
        guard seconds > 0 else { return }
        try await Task.sleep(nanoseconds: UInt64(seconds * 1_000_000_000))
    }

    func elapsed(since date: Date) -> TimeInterval {
        now.timeIntervalSince(date)
    }
}

public struct SystemTimekeeper: Timekeeper {
    public init() {}
    public var now: Date { Date() }
}

/// A clock that stands still until it is told to move. Waiting moves it at once.
public final class ManualTimekeeper: Timekeeper, @unchecked Sendable {
    @Guarded private var instant: Date

    public init(_ start: Date = Date(timeIntervalSince1970: 1_700_000_000)) {
        _instant = Guarded(wrappedValue: start)
    }

    public var now: Date { instant }

    public func advance(by seconds: TimeInterval) {
        $instant.withLock { $0.addTimeInterval(seconds) }
    }

    public func pause(_ seconds: TimeInterval) async throws {
        try Task.checkCancellation()
        advance(by: max(0, seconds))
    }
}

/// Decides how far a credential can still be trusted.
///
/// The policy looks only at dates. It has no opinion on what should be done about its verdict;
/// that is the business of ``CredentialGate``.
public struct ExpiryPolicy: Sendable {
    public enum Verdict: Equatable, Sendable {
        /// Good for at least the leeway.
        case sound(remaining: TimeInterval)
        /// Still accepted by the provider, but not for long.
        case fading(remaining: TimeInterval)
        case lapsed(ago: TimeInterval)
        /// The provider announced no end.
        case openEnded
    }

    /// How much life must be left for a credential to be called sound.
    public var leeway: TimeInterval
    /// How far our clock and the provider's may disagree.
    public var skew: TimeInterval
    /// The leeway never eats more than this share of a short lifespan.
    public var largestShare: Double

    public init(leeway: TimeInterval = 60, skew: TimeInterval = 5, largestShare: Double = 0.5) {
        self.leeway = leeway
        self.skew = skew
        self.largestShare = largestShare
    }

    public func verdict(on credential: Credential, at now: Date) -> Verdict {
        verdict(on: credential, at: now, leeway: effectiveLeeway(for: credential))
    }

    public func verdict(on credential: Credential, at now: Date, leeway: TimeInterval) -> Verdict {
        guard let end = credential.expiresAt else { return .openEnded }
        let remaining = end.timeIntervalSince(now) - skew
        if remaining <= 0 { return .lapsed(ago: -remaining) }
        return remaining < leeway ? .fading(remaining: remaining) : .sound(remaining: remaining)
    }

    // A provider that issues 30-second credentials would otherwise have every one of them
    // called fading from birth, and each request would cost an exchange.
    private func effectiveLeeway(for credential: Credential) -> TimeInterval {
        guard let lifespan = credential.lifespan else { return leeway }
        return min(leeway, lifespan * largestShare)
    }
}
