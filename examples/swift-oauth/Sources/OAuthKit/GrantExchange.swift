import Foundation

/// Something the provider's endpoint accepts in return for a credential.
public enum Grant: Hashable, Sendable {
    case code(String, redirect: URL, verifier: String)
    case renewal(secret: String, scopes: ScopeSet)
    /// The client acts for itself; there is no user.
    case client(scopes: ScopeSet)

    /// How safe it is to send the same grant twice.
    ///
    /// A provider that rotates secrets treats the second use of one as theft and ends the whole
    /// session, so anything that can be spent is repeated only if it surely never arrived.
    var tolerance: TransportRetrier.Tolerance {
        switch self {
        case .code: return .never
        case .renewal: return .unsentOnly
        case .client: return .anyTransient
        }
    }
}

/// Trades grants for credentials at the provider's endpoint.
public struct GrantExchange: Sendable {
    public let configuration: ClientConfiguration
    private let retrier: TransportRetrier
    private let clock: any Timekeeper
    private let log = Log("exchange")

    public init(
        configuration: ClientConfiguration,
        transport: any Transport,
        clock: any Timekeeper = SystemTimekeeper(),
        schedule: TransportRetrier.Schedule = .init()
    ) {
        self.configuration = configuration
        self.clock = clock
        self.retrier = TransportRetrier(transport: transport, clock: clock, schedule: schedule)
    }

    public func redeem(_ grant: Grant) async throws -> Credential {
        let asked = clock.now
        let response = try await retrier.perform(request(for: grant), tolerance: grant.tolerance)
        let reply = try EndpointReply(response)
        log.info("\(grant.label) answered in \(String(format: "%.2f", clock.elapsed(since: asked))) s")
        // Count the lifetime from before the request left: late is wrong, early is merely cautious.
        return try reply.credential(countingFrom: asked)
    }

    private func request(for grant: Grant) -> HTTPRequest {
        var fields = grant.formFields
        var request = HTTPRequest(.post, configuration.exchangeEndpoint)
        switch configuration.clientAuthentication {
        case .none:
            fields.append((.clientID, configuration.clientID))
        case .basic(let secret):
            let pair = "\(configuration.clientID.formEncoded):\(secret.formEncoded)"
            request.headers["Authorization"] = "Basic " + Data(pair.utf8).base64EncodedString()
        case .form(let secret):
            fields.append((.clientID, configuration.clientID))
            fields.append((.clientSecret, secret))
        }
        request.headers["Accept"] = "application/json"
        request.setForm(fields)
        return request
    }
}
