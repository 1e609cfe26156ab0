/// Lets many callers share one execution of the same piece of work.
///
/// The first caller for a key starts the work; those who come while it is under way wait for its
/// result, good or bad. Nothing is remembered once the work has ended.
public actor SingleFlight<Key: Hashable & Sendable, Value: Sendable> {
    private struct Flight {
        let task: Task<Value, Error>
        var passengers: Int
    }

    private var airborne: [Key: Flight] = [:]

    public init() {}

    public var isIdle: Bool { airborne.isEmpty }

    public func run(_ key: Key, _ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
        if airborne[key] != nil {
            return try await board(key)
        }
        // Unstructured on purpose: a caller that is cancelled must not take down the others.
        let task = Task { try await work() }
        airborne[key] = Flight(task: task, passengers: 1)
        defer { airborne[key] = nil }
        return try await task.value
    }

    /// How many callers are waiting for `key` right now.
    public func passengers(of key: Key) -> Int {
        airborne[key]?.passengers ?? 0
    }

    private func board(_ key: Key) async throws -> Value {
        airborne[key]?.passengers += 1
        guard let flight = airborne[key] else { throw CancellationError() }
        return try await flight.task.value
    }
}
