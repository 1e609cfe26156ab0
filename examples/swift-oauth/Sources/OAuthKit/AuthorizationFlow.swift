import Foundation

/// Signs a user in: sends the browser away with a promise, and checks the promise when it is back.
public struct AuthorizationFlow: Sendable {
    private let exchange: GrantExchange
    private let gate: CredentialGate
    private let makeSecret: @Sendable () -> String

    private var configuration: ClientConfiguration { exchange.configuration }

    public init(
        exchange: GrantExchange,
        gate: CredentialGate,
        makeSecret: @escaping @Sendable () -> String = { ProofKey.randomText(bytes: 32) }
    ) {
        self.exchange = exchange
        self.gate = gate
        self.makeSecret = makeSecret
    }

    /// An authorization that has left for the browser and is not back yet.
    public struct Pending: Sendable {
        public let url: URL
        public let state: String
        let proof: ProofKey
    }

    public func begin(scopes: ScopeSet? = nil) throws -> Pending {
        let proof = try ProofKey(verifier: makeSecret())
        let state = makeSecret()
        guard var parts = URLComponents(url: configuration.authorizationEndpoint, resolvingAgainstBaseURL: false)
        else { throw OAuthError.invalidConfiguration("authorization endpoint") }
        let fields: [FormField] = [
            (.responseType, "code"),
            (.clientID, configuration.clientID),
            (.redirectURI, configuration.redirectURI.absoluteString),
            (.scope, (scopes ?? configuration.scopes).spaceSeparated),
            (.state, state),
            (.challenge, proof.challenge),
            (.challengeMethod, "S256"),
        ]
        let added = fields.filter { !$0.value.isEmpty }.map { "\($0.name.rawValue)=\($0.value.formEncoded)" }
        let query = [parts.percentEncodedQuery].compactMap { $0 } + added
        parts.percentEncodedQuery = query.joined(separator: "&")
        guard let url = parts.url else { throw OAuthError.invalidConfiguration("authorization endpoint") }
        return Pending(url: url, state: state, proof: proof)
    }

    /// Finishes the sign-in with the URL the browser was sent back to.
    @discardableResult
    public func complete(_ pending: Pending, with callback: URL) async throws -> Credential {
        let redirect = try Redirect(callback, expecting: configuration.redirectURI)
        let code = try redirect.code(matching: pending.state)
        let credential = try await exchange.redeem(
            .code(code, redirect: configuration.redirectURI, verifier: pending.proof.verifier))
        try await gate.admit(credential)
        return credential
    }
}

/// The URL a provider sends the browser back to, and what it says.
public struct Redirect: Equatable, Sendable {
    public enum Outcome: Equatable, Sendable {
        case granted(code: String)
        case denied(code: String, explanation: String?)
    }

    public let outcome: Outcome
    public let state: String?

    public init(_ url: URL, expecting registered: URL) throws {
        guard url.scheme?.lowercased() == registered.scheme?.lowercased(),
              url.host?.lowercased() == registered.host?.lowercased(),
              url.port == registered.port,
              url.path == registered.path
        else { throw OAuthError.badRedirect("not our redirect address") }

        var values: [String: String] = [:]
        for item in URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems ?? [] {
            // A parameter given twice is either a bug or an attack.
            guard values.updateValue(item.value ?? "", forKey: item.name) == nil else {
                throw OAuthError.badRedirect("\(item.name) appears twice")
            }
        }
        state = values[WireName.state.rawValue]
        if let error = values[WireName.error.rawValue] {
            outcome = .denied(code: error, explanation: values[WireName.errorDescription.rawValue])
        } else if let code = values[WireName.code.rawValue], !code.isEmpty {
            outcome = .granted(code: code)
        } else {
            throw OAuthError.badRedirect("neither a code nor an error")
        }
    }

    /// The state is checked before anything else is believed, the provider's refusal included.
    func code(matching expected: String) throws -> String {
        guard let state, state.constantTimeEquals(expected) else { throw OAuthError.stateMismatch }
        switch outcome {
        case .granted(let code): return code
        case .denied(let code, let explanation):
            throw OAuthError.refused(.init(code: code, explanation: explanation))
        }
    }
}

private extension String {
    func constantTimeEquals(_ other: String) -> Bool {
        let left = Array(utf8), right = Array(other.utf8)
        guard left.count == right.count else { return false }
        return zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}

/// The two halves of PKCE (RFC 7636), method S256.
public struct ProofKey: Hashable, Sendable {
    public let verifier: String

    public init(verifier: String) throws {
        guard (43...128).contains(verifier.utf8.count) else {
            throw OAuthError.invalidConfiguration("a verifier has 43 to 128 characters")
        }
        self.verifier = verifier
    }

    public var challenge: String {
        Data(SHA256.hash(Array(verifier.utf8))).base64URL
    }

    public static func randomText(bytes count: Int) -> String {
        var generator = SystemRandomNumberGenerator()
        return Data((0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }).base64URL
    }
}

extension Data {
    var base64URL: String {
        base64EncodedString()
            .replacingOccurrences(of: "+", with: "-")
            .replacingOccurrences(of: "/", with: "_")
            .replacingOccurrences(of: "=", with: "")
    }
}

/// SHA-256 in plain Swift, so that the package needs no cryptography library on Linux.
///
/// Used on short, public or already random inputs; it makes no attempt to be fast.
enum SHA256 {
    private static let primes: [Int] = {
        var found: [Int] = []
        var candidate = 2
        while found.count < 64 {
            if found.allSatisfy({ !candidate.isMultiple(of: $0) }) { found.append(candidate) }
            candidate += 1
        }
        return found
    }()

    /// The standard defines its constants as the first 32 fractional bits of roots of primes.
    private static func fraction(_ root: Double) -> UInt32 {
        UInt32((root - root.rounded(.down)) * 4_294_967_296)
    }

    private static let initial = primes.prefix(8).map { fraction(Double($0).squareRoot()) }
    private static let rounds = primes.map { fraction(cbrt(Double($0))) }

    static func hash(_ message: [UInt8]) -> [UInt8] {
        var state = initial
        let padded = pad(message)
        for start in stride(from: 0, to: padded.count, by: 64) {
            absorb(padded[start..<start + 64], into: &state)
        }
        return state.flatMap { bytes(of: $0) }
    }

    private static func pad(_ message: [UInt8]) -> [UInt8] {
        var padded = message + [0x80]
        while padded.count % 64 != 56 { padded.append(0) }
        return padded + bytes(of: UInt64(message.count) * 8)
    }

    private static func bytes<Word: FixedWidthInteger>(of word: Word) -> [UInt8] {
        stride(from: Word.bitWidth - 8, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> Word($0)) }
    }

    private static func absorb(_ block: ArraySlice<UInt8>, into state: inout [UInt32]) {
        func turn(_ x: UInt32, _ n: UInt32) -> UInt32 { (x >> n) | (x << (32 - n)) }
        let input = Array(block)
        var w = (0..<16).map { i in
            (0..<4).reduce(UInt32(0)) { $0 << 8 | UInt32(input[i * 4 + $1]) }
        }
        for i in 16..<64 {
            let low = turn(w[i - 15], 7) ^ turn(w[i - 15], 18) ^ (w[i - 15] >> 3)
            let high = turn(w[i - 2], 17) ^ turn(w[i - 2], 19) ^ (w[i - 2] >> 10)
            w.append(w[i - 16] &+ low &+ w[i - 7] &+ high)
        }
        var v = state
        for i in 0..<64 {
            let mix = turn(v[4], 6) ^ turn(v[4], 11) ^ turn(v[4], 25)
            let choice = (v[4] & v[5]) ^ (~v[4] & v[6])
            let first = v[7] &+ mix &+ choice &+ rounds[i] &+ w[i]
            let spread = turn(v[0], 2) ^ turn(v[0], 13) ^ turn(v[0], 22)
            let majority = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2])
            v = [first &+ spread &+ majority, v[0], v[1], v[2], v[3] &+ first, v[4], v[5], v[6]]
        }
        for i in 0..<8 { state[i] = state[i] &+ v[i] }
    }
}
