import Foundation

/// What the provider handed us, and when.
///
/// A credential is a value: it never changes after it is made. When the provider issues another
/// one, the old value is kept nowhere, and whoever still holds it can tell by its ``fingerprint``.
public struct Credential: Hashable, Codable, Sendable {
    /// The secret that goes into the `Authorization` header.
    public let bearer: String
    /// The long-lived secret that buys a successor. Providers may withhold it.
    public let renewalSecret: String?
    public let issuedAt: Date
    /// `nil` when the provider did not say how long the bearer lives.
    public let expiresAt: Date?
    public let scopes: ScopeSet

    public init(
        bearer: String,
        renewalSecret: String? = nil,
        issuedAt: Date,
        expiresAt: Date? = nil,
        scopes: ScopeSet = []
    ) {
        self.bearer = bearer
        self.renewalSecret = renewalSecret
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
        self.scopes = scopes
    }

    /// Identifies a credential without revealing it; safe to log and to use as a dictionary key.
    public struct Fingerprint: Hashable, Sendable, CustomStringConvertible {
        private let digest: String

        init(of bearer: String) {
            digest = SHA256.hash(Array(bearer.utf8)).prefix(6).map { String(format: "%02x", $0) }.joined()
        }

        public var description: String { "#\(digest)" }
    }

    public var fingerprint: Fingerprint { Fingerprint(of: bearer) }

    /// Total lifetime as announced by the provider.
    public var lifespan: TimeInterval? {
        expiresAt.map { $0.timeIntervalSince(issuedAt) }
    }

    public var canBeSucceeded: Bool { renewalSecret != nil }

    func inheriting(from predecessor: Credential) -> Credential {
        Credential(
            bearer: bearer,
            renewalSecret: renewalSecret ?? predecessor.renewalSecret,
            issuedAt: issuedAt,
            expiresAt: expiresAt,
            scopes: scopes.isEmpty ? predecessor.scopes : scopes
        )
    }
}

/// A set of scopes that keeps the space-separated spelling used on the wire.
public struct ScopeSet: Hashable, Sendable, ExpressibleByArrayLiteral {
    private var names: Set<String>

    public init(_ names: some Sequence<String>) {
        self.names = Set(names.filter { !$0.isEmpty })
    }

    public init(arrayLiteral elements: String...) {
        self.init(elements)
    }

    /// Parses `"profile email"`.
    public init(spaceSeparated text: String) {
        self.init(text.split(separator: " ").map(String.init))
    }

    public var isEmpty: Bool { names.isEmpty }
    public var spaceSeparated: String { names.sorted().joined(separator: " ") }

    /// Reads or changes the membership of one scope.
    public subscript(name: String) -> Bool {
        get { names.contains(name) }
        set {
            if newValue { names.insert(name) } else { names.remove(name) }
        }
    }

    public func missing(from granted: ScopeSet) -> ScopeSet {
        ScopeSet(names.subtracting(granted.names))
    }
}

extension ScopeSet: Codable {
    public init(from decoder: Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let list = try? container.decode([String].self) {
            self.init(list)
        } else {
            self.init(spaceSeparated: try container.decode(String.self))
        }
    }

    public func encode(to encoder: Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(spaceSeparated)
    }
}

extension Credential: CustomStringConvertible {
    /// Never prints a secret.
    public var description: String {
        "Credential(\(fingerprint), scopes: [\(scopes.spaceSeparated)])"
    }
}
