import Foundation

// Names from version 1, kept for one more major version.

@available(*, deprecated, renamed: "CredentialVault")
public typealias TokenStore = CredentialVault

extension AuthorizedClient {
    /// Refreshes the access token.
    @available(*, deprecated, message: "Send requests with send(_:); the client keeps itself signed in.")
    @discardableResult
    public func refreshToken() async throws -> String {
        try await gate.usableCredential(leeway: .infinity).bearer
    }

    /// Refreshes the access token and calls back on an arbitrary executor.
    @available(*, deprecated, message: "Use the async API.")
    public func refreshToken(completion: @escaping @Sendable (Result<String, any Error>) -> Void) {
        Task {
            do {
                completion(.success(try await refreshToken()))
            } catch {
                completion(.failure(error))
            }
        }
    }

    @available(*, deprecated, message: "Ask the gate for a credential.")
    public var accessToken: String {
        get async throws { try await gate.usableCredential().bearer }
    }
}
