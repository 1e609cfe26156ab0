import Foundation

/// All the ways in which the library can fail.
public enum OAuthError: Error, Equatable, Sendable {
    /// No response; see the failure for whether the server may have seen the request.
    case unreachable(TransportFailure)
    case unavailable(status: Int)
    case refused(Refusal)
    case malformedReply(String)
    case badRedirect(String)
    case stateMismatch
    case invalidConfiguration(String)
    case vaultFailure(String)
    case signInRequired(Reason)

    /// The provider's own words.
    public struct Refusal: Equatable, Sendable, CustomStringConvertible {
        public let code: String
        public let explanation: String?

        public init(code: String, explanation: String? = nil) {
            self.code = code
            self.explanation = explanation
        }

        /// Whether asking again with the same grant is pointless.
        public var isFinal: Bool { code == "invalid_grant" || code == "unauthorized_client" }

        public var description: String {
            explanation.map { "\(code) (\($0))" } ?? code
        }
    }

    public enum Reason: Equatable, Sendable {
        case nothingStored
        case notRenewable
        case revokedByProvider
    }

    /// Likely to go away by itself.
    public var isTransient: Bool {
        switch self {
        case .unreachable: return true
        case .unavailable(let status): return status >= 500 || status == 429
        case .refused(let refusal): return refusal.code == "temporarily_unavailable"
        default: return false
        }
    }
}

/// A value behind a lock.
///
/// As a property wrapper it makes single reads and writes safe; for anything that reads and then
/// writes, use ``withLock(_:)`` through the projected value.
@propertyWrapper
public final class Guarded<Value: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    public init(wrappedValue: Value) {
        value = wrappedValue
    }

    public var wrappedValue: Value {
        get { withLock { $0 } }
        set { withLock { $0 = newValue } }
    }

    public var projectedValue: Guarded<Value> { self }

    @discardableResult
    public func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}

/// A logging facility of the smallest useful size. Silent until a sink is installed.
public struct Log: Sendable {
    public enum Level: Int, Comparable, Sendable, CaseIterable {
        case debug, info, warning, error

        public static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
    }

    public typealias Sink = @Sendable (_ level: Level, _ category: String, _ message: String) -> Void

    private struct Settings: Sendable {
        var threshold: Level = .info
        var sink: Sink?
    }

    private static let settings = Guarded(wrappedValue: Settings())

    public static func install(threshold: Level = .info, _ sink: @escaping Sink) {
        settings.withLock { $0 = Settings(threshold: threshold, sink: sink) }
    }

    private let category: String

    public init(_ category: String) {
        self.category = category
    }

    public func debug(_ message: @autoclosure () -> String) { write(.debug, message) }
    public func info(_ message: @autoclosure () -> String) { write(.info, message) }
    public func warning(_ message: @autoclosure () -> String) { write(.warning, message) }
    public func error(_ message: @autoclosure () -> String) { write(.error, message) }

    private func write(_ level: Level, _ message: () -> String) {
        let settings = Self.settings.wrappedValue
        guard let sink = settings.sink, level >= settings.threshold else { return }
        sink(level, category, message())
    }
}
