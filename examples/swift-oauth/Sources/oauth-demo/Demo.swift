import Foundation
import OAuthKit

@main
struct Demo {
    enum Command {
        case rehearse(rounds: Int)
        case signInURL(config: URL)
        case help

        init(_ arguments: [String]) {
            switch arguments.first {
            case "rehearse":
                self = .rehearse(rounds: arguments.dropFirst().first.flatMap(Int.init) ?? 4)
            case "sign-in-url" where arguments.count == 2:
                self = .signInURL(config: URL(fileURLWithPath: arguments[1]))
            default:
                self = .help
            }
        }
    }

    static func main() async {
        Log.install(threshold: .debug) { level, category, message in
            FileHandle.standardError.write(Data("[\(level)] \(category): \(message)\n".utf8))
        }
        do {
            switch Command(Array(CommandLine.arguments.dropFirst())) {
            case .rehearse(let rounds): try await rehearse(rounds: rounds)
            case .signInURL(let config): try await printSignInURL(config)
            case .help: print(usage)
            }
        } catch {
            print("failed: \(error)")
            exit(1)
        }
    }

    private static let usage = """
        oauth-demo rehearse [ROUNDS]      the whole dance with a provider inside this process
        oauth-demo sign-in-url CONFIG     the address to open, for a JSON or plist configuration
        """

    private static func printSignInURL(_ file: URL) async throws {
        let kit = try Kit(ClientConfiguration(contentsOf: file), transport: URLSessionTransport())
        print(try kit.flow.begin().url.absoluteString)
    }

    /// Signs in, then watches a resource for longer than the credential lives.
    private static func rehearse(rounds: Int) async throws {
        let clock = ManualTimekeeper()
        let provider = RehearsalProvider(clock: clock, lifetime: 300)
        let throttled = ThrottledTransport(
            provider, bucket: TokenBucket(capacity: 5, refillPerSecond: 1, clock: clock))
        let kit = Kit(RehearsalProvider.configuration, transport: throttled, clock: clock)
        await kit.gate.observe { print("gate: \($0)") }

        let pending = try kit.flow.begin()
        try await kit.flow.complete(pending, with: await provider.consent(to: pending.url))

        let poller = RefreshPoller(every: 200, clock: clock) {
            let response = try await kit.client.send(HTTPRequest(.get, RehearsalProvider.resource))
            return String(decoding: response.body, as: UTF8.self)
        }
        try await poller.run(rounds: rounds) { update in
            print("inbox: \(update.content)\(update.changed ? "" : " (unchanged)")")
        }
    }
}

/// The parts of the library, put together the usual way.
struct Kit: Sendable {
    let gate: CredentialGate
    let flow: AuthorizationFlow
    let client: AuthorizedClient

    init(
        _ configuration: ClientConfiguration,
        transport: any Transport,
        vault: any CredentialVault = MemoryVault(),
        clock: any Timekeeper = SystemTimekeeper()
    ) {
        let exchange = GrantExchange(configuration: configuration, transport: transport, clock: clock)
        gate = CredentialGate(account: configuration.account(), vault: vault, exchange: exchange, clock: clock)
        flow = AuthorizationFlow(exchange: exchange, gate: gate)
        let agent = FixedHeaderAdapter("User-Agent") { "oauth-demo/1" }
        client = AuthorizedClient(
            gate: gate, transport: transport, adapter: agent.followed(by: BearerSigner(gate: gate)))
    }
}

/// Plays the provider and the protected server, in memory.
actor RehearsalProvider: Transport {
    static let resource = URL(string: "https://mail.example/inbox")!
    static let configuration = ClientConfiguration(
        clientID: "rehearsal",
        authorizationEndpoint: URL(string: "https://login.example/authorize")!,
        exchangeEndpoint: URL(string: "https://login.example/exchange")!,
        redirectURI: URL(string: "app://signed-in")!,
        scopes: ["mail"]
    )

    private let clock: any Timekeeper
    private let lifetime: TimeInterval
    private var serial = 0
    private var redeemable: Set<String> = []
    private var honoured: [String: Date] = [:]

    init(clock: any Timekeeper, lifetime: TimeInterval) {
        self.clock = clock
        self.lifetime = lifetime
    }

    /// What a person does in the browser.
    func consent(to url: URL) -> URL {
        let state = URLComponents(url: url, resolvingAgainstBaseURL: false)?
            .queryItems?.first { $0.name == "state" }?.value ?? ""
        redeemable.insert("code-1")
        return URL(string: "app://signed-in?code=code-1&state=\(state)")!
    }

    func deliver(_ request: HTTPRequest) async throws -> HTTPResponse {
        request.url == Self.resource ? serve(request) : trade(request)
    }

    private func serve(_ request: HTTPRequest) -> HTTPResponse {
        let shown = request.headers["Authorization"]?.dropFirst("Bearer ".count)
        guard let shown, let end = honoured[String(shown)], end > clock.now else {
            return HTTPResponse(status: 401, headers: ["WWW-Authenticate": "Bearer error=\"invalid_token\""])
        }
        return HTTPResponse(status: 200, body: Data("\(serial) message(s)".utf8))
    }

    private func trade(_ request: HTTPRequest) -> HTTPResponse {
        let form = String(decoding: request.body ?? Data(), as: UTF8.self)
        guard let spent = redeemable.first(where: { form.contains($0) }) else {
            return HTTPResponse(status: 400, body: Data(#"{"error":"invalid_grant"}"#.utf8))
        }
        redeemable.remove(spent)
        serial += 1
        redeemable.insert("long-\(serial)")
        honoured["short-\(serial)"] = clock.now.addingTimeInterval(lifetime)
        let body = """
            {"access_token":"short-\(serial)","token_type":"Bearer",\
            "expires_in":\(Int(lifetime)),"refresh_token":"long-\(serial)"}
            """
        return HTTPResponse(status: 200, body: Data(body.utf8))
    }
}
