import Foundation

/// Names one credential: which client, for which user.
public struct Account: Hashable, Codable, Sendable, CustomStringConvertible {
    public var clientID: String
    public var user: String

    public init(clientID: String, user: String = "default") {
        self.clientID = clientID
        self.user = user
    }

    public var description: String { "\(user)@\(clientID)" }
}

/// Keeps credentials between launches, in the manner of a keychain: one item for each account,
/// replaced as a whole.
public protocol CredentialVault: Sendable {
    func fetch(_ account: Account) async throws -> Credential?
    func store(_ credential: Credential, for account: Account) async throws
    func remove(_ account: Account) async throws
    func contains(_ account: Account) async throws -> Bool
}

extension CredentialVault {
    public func contains(_ account: Account) async throws -> Bool {
        try await fetch(account) != nil
    }

    /// Moves an item from here to another vault, for instance when upgrading from files to a keychain.
    @discardableResult
    public func migrate(_ account: Account, to other: some CredentialVault) async throws -> Bool {
        guard let credential = try await fetch(account) else { return false }
        try await other.store(credential, for: account)
        try await remove(account)
        return true
    }
}

/// Forgets everything when the process ends.
public actor MemoryVault: CredentialVault {
    private var items: [Account: Credential]

    public init(_ items: [Account: Credential] = [:]) {
        self.items = items
    }

    public subscript(account: Account) -> Credential? { items[account] }

    public func fetch(_ account: Account) -> Credential? { items[account] }
    public func store(_ credential: Credential, for account: Account) { items[account] = credential }
    public func remove(_ account: Account) { items[account] = nil }
    public func contains(_ account: Account) async -> Bool { items.keys.contains(account) }
}

/// One JSON file for each account, readable by its owner only.
public actor FileVault: CredentialVault {
    private let directory: URL

    public init(directory: URL) {
        self.directory = directory
    }

    public func fetch(_ account: Account) throws -> Credential? {
        let url = location(of: account)
        guard FileManager.default.fileExists(atPath: url.path) else { return nil }
        return try guarding("read") {
            try JSONDecoder().decode(Credential.self, from: Data(contentsOf: url))
        }
    }

    public func store(_ credential: Credential, for account: Account) throws {
        try guarding("write") {
            let files = FileManager.default
            try files.createDirectory(
                at: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            let url = location(of: account)
            try JSONEncoder().encode(credential).write(to: url, options: .atomic)
            try files.setAttributes([.posixPermissions: 0o600], ofItemAtPath: url.path)
        }
    }

    public func remove(_ account: Account) throws {
        let url = location(of: account)
        guard FileManager.default.fileExists(atPath: url.path) else { return }
        try guarding("remove") { try FileManager.default.removeItem(at: url) }
    }

    private func location(of account: Account) -> URL {
        // Hashed, so that a user name cannot climb out of the directory.
        let name = SHA256.hash(Array(account.description.utf8)).prefix(12)
            .map { String(format: "%02x", $0) }.joined()
        return directory.appendingPathComponent(name).appendingPathExtension("json")
    }

    private func guarding<T>(_ action: String, _ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch {
            throw OAuthError.vaultFailure("could not \(action): \(error.localizedDescription)")
        }
    }
}
