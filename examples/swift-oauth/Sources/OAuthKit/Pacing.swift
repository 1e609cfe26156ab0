import Foundation

public struct TransportRetrier: Sendable {
    /// Which disappointments may be followed by another attempt.
    public enum Tolerance: Sendable {
        case never
        case unsentOnly
        case anyTransient
    }

    /// Exponential backoff with a ceiling and without jitter.
    public struct Schedule: Sendable {
        public var attempts: Int
        public var base: TimeInterval
        public var ceiling: TimeInterval

        public init(attempts: Int = 3, base: TimeInterval = 0.5, ceiling: TimeInterval = 8) {
            self.attempts = attempts
            self.base = base
            self.ceiling = ceiling
        }

        func delay(after attempt: Int) -> TimeInterval {
            min(ceiling, base * pow(2, Double(attempt - 1)))
        }
    }

    let transport: any Transport
    let clock: any Timekeeper
    let schedule: Schedule
    private let log = Log("retrier")

    public init(transport: any Transport, clock: any Timekeeper, schedule: Schedule = Schedule()) {
        self.transport = transport
        self.clock = clock
        self.schedule = schedule
    }

    public func perform(_ request: HTTPRequest, tolerance: Tolerance) async throws -> HTTPResponse {
        var attempt = 1
        while true {
            let outcome = await attemptOnce(request)
            guard attempt < schedule.attempts, let wait = wait(after: outcome, attempt, tolerance) else {
                return try settle(outcome)
            }
            log.debug("attempt \(attempt) via \(transport.label) failed, next in \(wait) s")
            try await clock.pause(wait)
            attempt += 1
        }
    }

    private func attemptOnce(_ request: HTTPRequest) async -> Result<HTTPResponse, any Error> {
        do {
            return .success(try await transport.deliver(request))
        } catch {
            return .failure(error)
        }
    }

    /// `nil` means: do not try again.
    private func wait(
        after outcome: Result<HTTPResponse, any Error>, _ attempt: Int, _ tolerance: Tolerance
    ) -> TimeInterval? {
        let usual = schedule.delay(after: attempt)
        switch (tolerance, outcome) {
        case (.never, _):
            return nil
        case (_, .success(let response)) where response.status == 429 || response.status == 503:
            // The server says it did not touch the request, so even a spendable grant is intact.
            return response.headers["Retry-After"].flatMap(TimeInterval.init) ?? usual
        case (.anyTransient, .success(let response)) where response.status >= 500:
            return usual
        case (_, .failure(TransportFailure.unsent)), (.anyTransient, .failure(TransportFailure.interrupted)):
            return usual
        default:
            return nil
        }
    }

    private func settle(_ outcome: Result<HTTPResponse, any Error>) throws -> HTTPResponse {
        switch outcome {
        case .success(let response): return response
        case .failure(let failure as TransportFailure): throw OAuthError.unreachable(failure)
        case .failure(let other): throw other
        }
    }
}

/// The classic token bucket: a request costs one token, and tokens drip back at a fixed rate.
///
/// This limits how often *we* call a server. It has nothing to do with credentials.
public actor TokenBucket {
    public let capacity: Double
    public let refillPerSecond: Double
    private let clock: any Timekeeper
    private var tokens: Double
    private var refreshedAt: Date

    public init(capacity: Int, refillPerSecond: Double, clock: any Timekeeper = SystemTimekeeper()) {
        self.capacity = Double(capacity)
        self.refillPerSecond = refillPerSecond
        self.clock = clock
        tokens = Double(capacity)
        refreshedAt = clock.now
    }

    /// Takes one token, waiting until there is one.
    public func takeToken() async throws {
        refreshTokens()
        while tokens < 1 {
            try await clock.pause((1 - tokens) / refillPerSecond)
            refreshTokens()
        }
        tokens -= 1
    }

    /// Refreshes the number of tokens from the time that has passed.
    private func refreshTokens() {
        let now = clock.now
        tokens = min(capacity, tokens + now.timeIntervalSince(refreshedAt) * refillPerSecond)
        refreshedAt = now
    }
}

public struct ThrottledTransport<Base: Transport>: Transport {
    private let base: Base
    private let bucket: TokenBucket

    public init(_ base: Base, bucket: TokenBucket) {
        self.base = base
        self.bucket = bucket
    }

    public var label: String { "throttled \(base.label)" }

    public func deliver(_ request: HTTPRequest) async throws -> HTTPResponse {
        try await bucket.takeToken()
        return try await base.deliver(request)
    }
}
