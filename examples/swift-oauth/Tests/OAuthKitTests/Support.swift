import Foundation
@testable import OAuthKit

extension ClientConfiguration {
    static let sample = ClientConfiguration(
        clientID: "client",
        authorizationEndpoint: URL(string: "https://login.example/authorize")!,
        exchangeEndpoint: URL(string: "https://login.example/exchange")!,
        redirectURI: URL(string: "app://back/here")!,
        scopes: ["mail", "profile"]
    )
}

/// Answers requests from a closure and remembers them.
actor ScriptedTransport: Transport {
    private(set) var seen: [HTTPRequest] = []
    private let answer: @Sendable (HTTPRequest, Int) async throws -> HTTPResponse

    init(_ answer: @escaping @Sendable (HTTPRequest, Int) async throws -> HTTPResponse) {
        self.answer = answer
    }

    func deliver(_ request: HTTPRequest) async throws -> HTTPResponse {
        seen.append(request)
        return try await answer(request, seen.count)
    }

    var forms: [String] {
        seen.compactMap { $0.body.map { String(decoding: $0, as: UTF8.self) } }
    }
}

extension HTTPResponse {
    static func issue(_ bearer: String, secret: String? = nil, lifetime: Int = 3600) -> HTTPResponse {
        var fields = ["\"access_token\":\"\(bearer)\"", "\"token_type\":\"bearer\"", "\"expires_in\":\(lifetime)"]
        if let secret { fields.append("\"refresh_token\":\"\(secret)\"") }
        return HTTPResponse(status: 200, body: Data("{\(fields.joined(separator: ","))}".utf8))
    }

    static func refusal(_ code: String) -> HTTPResponse {
        HTTPResponse(status: 400, body: Data("{\"error\":\"\(code)\"}".utf8))
    }
}

/// A gate over scripted parts, holding one credential that lives for `lifetime` seconds.
struct Bench {
    let clock = ManualTimekeeper()
    let vault: MemoryVault
    let transport: ScriptedTransport
    let gate: CredentialGate
    let exchange: GrantExchange
    let account = ClientConfiguration.sample.account()

    init(
        lifetime: TimeInterval? = 600,
        secret: String? = "s0",
        _ answer: @escaping @Sendable (HTTPRequest, Int) async throws -> HTTPResponse
    ) {
        let credential = Credential(
            bearer: "b0", renewalSecret: secret, issuedAt: clock.now,
            expiresAt: lifetime.map(clock.now.addingTimeInterval), scopes: ["mail"])
        vault = MemoryVault([account: credential])
        transport = ScriptedTransport(answer)
        exchange = GrantExchange(configuration: .sample, transport: transport, clock: clock)
        gate = CredentialGate(account: account, vault: vault, exchange: exchange, clock: clock)
    }
}

func thrown<T>(_ body: () async throws -> T) async -> OAuthError? {
    do {
        _ = try await body()
        return nil
    } catch {
        return error as? OAuthError
    }
}
