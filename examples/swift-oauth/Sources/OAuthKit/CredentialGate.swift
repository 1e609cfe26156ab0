import Foundation

/// The one place that hands out credentials.
///
/// Everything that signs a request asks the gate, and nobody else reads the vault. That makes it
/// possible to promise that two callers never redeem the same secret.
public actor CredentialGate {
    public enum Event: Sendable {
        case admitted(Credential.Fingerprint)
        case succeeded(Credential.Fingerprint, by: Credential.Fingerprint)
        case revoked(Credential.Fingerprint)
    }

    public let account: Account
    private let vault: any CredentialVault
    private let exchange: GrantExchange
    private let policy: ExpiryPolicy
    private let clock: any Timekeeper
    private let flights = SingleFlight<Credential.Fingerprint, Credential>()
    private let log = Log("gate")
    private var current: Credential?
    private var observers: [@Sendable (Event) -> Void] = []

    public init(
        account: Account,
        vault: any CredentialVault,
        exchange: GrantExchange,
        policy: ExpiryPolicy = ExpiryPolicy(),
        clock: any Timekeeper = SystemTimekeeper()
    ) {
        self.account = account
        self.vault = vault
        self.exchange = exchange
        self.policy = policy
        self.clock = clock
    }

    public func usableCredential(leeway: TimeInterval? = nil) async throws -> Credential {
        let held = try await holding()
        switch assess(held, leeway: leeway) {
        case .sound, .openEnded:
            return held
        case .fading(let remaining):
            do {
                return try await succession(of: held)
            } catch let error as OAuthError where error.isTransient {
                log.warning("keeping \(held.fingerprint) for its last \(remaining.rounded()) s: \(error)")
                return held
            }
        case .lapsed(let ago):
            log.debug("\(held.fingerprint) lapsed \(ago.rounded()) s ago")
            return try await succession(of: held)
        }
    }

    /// Called when a server turned down the credential `spent`, whatever its dates say.
    ///
    /// If another caller has been through here in the meantime, its result is returned at no cost.
    public func usableCredential(replacing spent: Credential.Fingerprint) async throws -> Credential {
        let held = try await holding()
        guard held.fingerprint == spent else { return held }
        return try await succession(of: held)
    }

    /// Takes in the first credential of a session, after the user signed in.
    public func admit(_ credential: Credential) async throws {
        try await install(credential)
        announce(.admitted(credential.fingerprint))
    }

    /// Forgets the credential. The next request will have to sign in again.
    public func revoke() async throws {
        let old = current
        current = nil
        try await vault.remove(account)
        if let old { announce(.revoked(old.fingerprint)) }
    }

    public func observe(_ observer: @escaping @Sendable (Event) -> Void) {
        observers.append(observer)
    }

    private func assess(_ held: Credential, leeway: TimeInterval?) -> ExpiryPolicy.Verdict {
        if let leeway {
            return policy.verdict(on: held, at: clock.now, leeway: leeway)
        }
        return policy.verdict(on: held, at: clock.now)
    }

    private func holding() async throws -> Credential {
        if let current { return current }
        guard let stored = try await vault.fetch(account) else {
            throw OAuthError.signInRequired(.nothingStored)
        }
        // While we were reading, somebody may have installed something newer.
        if let current { return current }
        current = stored
        return stored
    }

    private func succession(of held: Credential) async throws -> Credential {
        guard let secret = held.renewalSecret else {
            throw OAuthError.signInRequired(.notRenewable)
        }
        return try await flights.run(held.fingerprint) { [weak self] in
            guard let self else { throw CancellationError() }
            return try await self.succeed(held, spending: secret)
        }
    }

    private func succeed(_ held: Credential, spending secret: String) async throws -> Credential {
        // A flight for the same credential may have landed just before this one took off.
        if let other = try displacement(of: held) { return other }
        do {
            let successor = try await exchange.redeem(.renewal(secret: secret, scopes: held.scopes))
                .inheriting(from: held)
            // The user may have signed out, or in again, while we were talking to the provider.
            if let other = try displacement(of: held) { return other }
            try await install(successor)
            announce(.succeeded(held.fingerprint, by: successor.fingerprint))
            return successor
        } catch OAuthError.refused(let refusal) where refusal.isFinal {
            if let other = try displacement(of: held) { return other }
            log.error("provider will not renew \(held.fingerprint): \(refusal)")
            try await revoke()
            throw OAuthError.signInRequired(.revokedByProvider)
        }
    }

    /// What to use instead of `held` if it is no longer the one to be replaced.
    private func displacement(of held: Credential) throws -> Credential? {
        guard let current else { throw OAuthError.signInRequired(.nothingStored) }
        return current.fingerprint == held.fingerprint ? nil : current
    }

    private func install(_ credential: Credential) async throws {
        // The vault goes first: a secret that was rotated but not written down is lost for good.
        try await vault.store(credential, for: account)
        current = credential
    }

    private func announce(_ event: Event) {
        observers.forEach { $0(event) }
    }
}
