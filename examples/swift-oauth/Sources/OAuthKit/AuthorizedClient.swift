import Foundation

/// Prepares a request for a server that wants to know who is asking.
public protocol RequestAdapter: Sendable {
    func adapt(_ request: HTTPRequest) async throws -> HTTPRequest
    /// Gives the adapter another chance after `rejected` was turned down. `nil` gives up.
    func readapt(_ original: HTTPRequest, rejected: HTTPRequest, because: Challenge) async throws -> HTTPRequest?
}

extension RequestAdapter {
    public func readapt(
        _ original: HTTPRequest, rejected: HTTPRequest, because: Challenge
    ) async throws -> HTTPRequest? {
        nil
    }

    public func followed(by next: some RequestAdapter) -> some RequestAdapter {
        AdapterChain(first: self, second: next)
    }
}

struct AdapterChain<First: RequestAdapter, Second: RequestAdapter>: RequestAdapter {
    let first: First
    let second: Second

    func adapt(_ request: HTTPRequest) async throws -> HTTPRequest {
        try await second.adapt(first.adapt(request))
    }

    func readapt(
        _ original: HTTPRequest, rejected: HTTPRequest, because challenge: Challenge
    ) async throws -> HTTPRequest? {
        if let again = try await first.readapt(original, rejected: rejected, because: challenge) {
            return try await second.adapt(again)
        }
        return try await second.readapt(first.adapt(original), rejected: rejected, because: challenge)
    }
}

public struct FixedHeaderAdapter: RequestAdapter {
    let name: String
    let value: @Sendable () -> String

    public init(_ name: String, value: @escaping @Sendable () -> String) {
        self.name = name
        self.value = value
    }

    public func adapt(_ request: HTTPRequest) async throws -> HTTPRequest {
        var request = request
        request.headers[name] = value()
        return request
    }
}

public struct BearerSigner: RequestAdapter {
    private static let prefix = "Bearer "
    private let gate: CredentialGate

    public init(gate: CredentialGate) {
        self.gate = gate
    }

    public func adapt(_ request: HTTPRequest) async throws -> HTTPRequest {
        sign(request, with: try await gate.usableCredential())
    }

    public func readapt(
        _ original: HTTPRequest, rejected: HTTPRequest, because challenge: Challenge
    ) async throws -> HTTPRequest? {
        guard challenge.invitesAnotherAttempt,
              let value = rejected.headers["Authorization"], value.hasPrefix(Self.prefix)
        else { return nil }
        let spent = Credential.Fingerprint(of: String(value.dropFirst(Self.prefix.count)))
        return sign(original, with: try await gate.usableCredential(replacing: spent))
    }

    private func sign(_ request: HTTPRequest, with credential: Credential) -> HTTPRequest {
        var request = request
        request.headers["Authorization"] = Self.prefix + credential.bearer
        return request
    }
}

/// What most programs use: sends requests on behalf of the signed-in user.
public struct AuthorizedClient: Sendable {
    public let gate: CredentialGate
    private let transport: any Transport
    private let adapter: any RequestAdapter

    public init(gate: CredentialGate, transport: any Transport) {
        self.init(gate: gate, transport: transport, adapter: BearerSigner(gate: gate))
    }

    public init(gate: CredentialGate, transport: any Transport, adapter: any RequestAdapter) {
        self.gate = gate
        self.transport = transport
        self.adapter = adapter
    }

    public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        let signed = try await adapter.adapt(request)
        let response = try await transport.deliver(signed)
        guard let challenge = Challenge(response),
              let again = try await adapter.readapt(request, rejected: signed, because: challenge)
        else { return response }
        // Once only: a second 401 with a brand-new credential is the server's considered opinion.
        return try await transport.deliver(again)
    }

    public func send<Value: Decodable>(_ request: HTTPRequest, decoding type: Value.Type) async throws -> Value {
        let response = try await send(request)
        guard response.isSuccess else { throw OAuthError.unavailable(status: response.status) }
        return try JSONDecoder().decode(type, from: response.body)
    }
}

/// A server's `WWW-Authenticate` header on a 401, taken apart.
public struct Challenge: Equatable, Sendable {
    public let scheme: String
    public let parameters: [String: String]

    public init?(_ response: HTTPResponse) {
        guard response.status == 401 else { return nil }
        var scanner = HeaderScanner(response.headers["WWW-Authenticate"] ?? "Bearer")
        scheme = scanner.scanToken() ?? "Bearer"
        var parameters: [String: String] = [:]
        while let name = scanner.scanToken(), scanner.skip("=") {
            parameters[name.lowercased()] = scanner.scanQuoted() ?? scanner.scanToken() ?? ""
            _ = scanner.skip(",")
        }
        self.parameters = parameters
    }

    /// Not every 401 is about an old credential; one about scopes would only come back.
    public var invitesAnotherAttempt: Bool {
        guard scheme.lowercased() == "bearer" else { return false }
        return parameters["error"].map { $0 == "invalid_token" } ?? true
    }
}

/// Splits a header into the tokens and quoted strings of RFC 9110.
struct HeaderScanner {
    private var rest: Substring

    init(_ text: String) { rest = text[...] }

    /// A "token" in the sense of the HTTP grammar: letters, digits and some punctuation.
    mutating func scanToken() -> String? {
        skipSpaces()
        let token = rest.prefix { $0.isLetter || $0.isNumber || "!#$%&'*+-.^_`|~".contains($0) }
        rest = rest.dropFirst(token.count)
        return token.isEmpty ? nil : String(token)
    }

    mutating func scanQuoted() -> String? {
        skipSpaces()
        guard rest.first == "\"" else { return nil }
        var result = "", escaped = false
        rest = rest.dropFirst()
        while let character = rest.popFirst() {
            if escaped {
                result.append(character)
                escaped = false
            } else if character == "\\" {
                escaped = true
            } else if character == "\"" {
                break
            } else {
                result.append(character)
            }
        }
        return result
    }

    mutating func skip(_ character: Character) -> Bool {
        skipSpaces()
        guard rest.first == character else { return false }
        rest = rest.dropFirst()
        return true
    }

    private mutating func skipSpaces() {
        rest = rest.drop { $0 == " " || $0 == "\t" }
    }
}
