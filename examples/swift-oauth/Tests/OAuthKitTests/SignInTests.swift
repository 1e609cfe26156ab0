import XCTest
@testable import OAuthKit

final class SignInTests: XCTestCase {
    func testProofKeyMatchesTheExampleOfTheStandard() throws {
        let proof = try ProofKey(verifier: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
        XCTAssertEqual(proof.challenge, "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
        XCTAssertThrowsError(try ProofKey(verifier: "short"))
        XCTAssertEqual(ProofKey.randomText(bytes: 32).count, 43)
    }

    func testHashOfAMessageOverSeveralBlocks() {
        func hex(_ text: String) -> String {
            SHA256.hash(Array(text.utf8)).map { String(format: "%02x", $0) }.joined()
        }
        XCTAssertEqual(hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        XCTAssertEqual(
            hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1")
    }

    func testSignInFromURLToVault() async throws {
        let bench = Bench { _, _ in .issue("fresh", secret: "long") }
        let flow = AuthorizationFlow(exchange: bench.exchange, gate: bench.gate)
        let pending = try flow.begin()
        let items = URLComponents(url: pending.url, resolvingAgainstBaseURL: false)?.queryItems ?? []
        XCTAssertEqual(items.first { $0.name == "scope" }?.value, "mail profile")
        XCTAssertEqual(items.first { $0.name == "code_challenge_method" }?.value, "S256")

        let callback = URL(string: "app://back/here?code=c%201&state=\(pending.state)")!
        try await flow.complete(pending, with: callback)
        let usable = try await bench.gate.usableCredential()
        XCTAssertEqual(usable.bearer, "fresh")
        let form = await bench.transport.forms.first
        XCTAssertTrue(form?.contains("code=c%201&redirect_uri=app%3A%2F%2Fback%2Fhere") == true)
    }

    func testForeignStateIsRejectedBeforeAnythingIsSent() async throws {
        let bench = Bench { _, _ in .issue("fresh") }
        let flow = AuthorizationFlow(exchange: bench.exchange, gate: bench.gate)
        let pending = try flow.begin()
        for query in ["code=c&state=evil", "code=c", "error=access_denied&state=evil"] {
            let error = await thrown {
                try await flow.complete(pending, with: URL(string: "app://back/here?\(query)")!)
            }
            XCTAssertEqual(error, .stateMismatch)
        }
        let seen = await bench.transport.seen
        XCTAssertTrue(seen.isEmpty)
    }

    func testRedirects() throws {
        let home = ClientConfiguration.sample.redirectURI
        XCTAssertThrowsError(try Redirect(URL(string: "app://elsewhere/here?code=1")!, expecting: home))
        XCTAssertThrowsError(try Redirect(URL(string: "app://back/here?code=1&code=2")!, expecting: home))
        XCTAssertThrowsError(try Redirect(URL(string: "app://back/here")!, expecting: home))
        let denied = try Redirect(
            URL(string: "app://back/here?error=access_denied&error_description=no&state=s")!, expecting: home)
        XCTAssertEqual(denied.outcome, .denied(code: "access_denied", explanation: "no"))
        XCTAssertThrowsError(try denied.code(matching: "s")) {
            XCTAssertEqual($0 as? OAuthError, .refused(.init(code: "access_denied", explanation: "no")))
        }
    }

    func testConfigurationFromJSONAndPropertyList() throws {
        let json = """
            {"client_id": "client", "authorization_endpoint": "https://login.example/authorize",
             "token_endpoint": "https://login.example/exchange", "redirect_uri": "app://back/here",
             "scopes": ["profile", "mail"]}
            """
        XCTAssertEqual(try ClientConfiguration(json: Data(json.utf8)), .sample)
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .xml
        XCTAssertEqual(try ClientConfiguration(propertyList: encoder.encode(ClientConfiguration.sample)), .sample)

        let plain = json.replacingOccurrences(of: "https://login", with: "http://login")
        XCTAssertThrowsError(try ClientConfiguration(json: Data(plain.utf8)))
        XCTAssertThrowsError(try ClientConfiguration(json: Data("{}".utf8))) {
            XCTAssertEqual($0 as? OAuthError, .invalidConfiguration("client_id is missing"))
        }
    }

    func testConfidentialClientUsesBasicAuthentication() async throws {
        var configuration = ClientConfiguration.sample
        configuration.clientSecret = "p:w"
        let transport = ScriptedTransport { _, _ in .issue("b") }
        let exchange = GrantExchange(configuration: configuration, transport: transport, clock: ManualTimekeeper())
        _ = try await exchange.redeem(.client(scopes: ["a"]))
        let request = await transport.seen[0]
        XCTAssertEqual(request.headers["Authorization"], "Basic " + Data("client:p%3Aw".utf8).base64EncodedString())
        XCTAssertEqual(request.body, Data("grant_type=client_credentials&scope=a".utf8))
    }

    func testEndpointReplies() throws {
        let quoted = #"{"access_token":"b","expires_in":"90"}"#
        let start = Date(timeIntervalSince1970: 0)
        let reply = try EndpointReply(HTTPResponse(status: 200, body: Data(quoted.utf8)))
        XCTAssertEqual(try reply.credential(countingFrom: start).expiresAt, start + 90)
        XCTAssertThrowsError(try EndpointReply(HTTPResponse(status: 200, body: Data("<html>".utf8))))
        XCTAssertThrowsError(try EndpointReply(HTTPResponse(status: 502))) {
            XCTAssertEqual(($0 as? OAuthError)?.isTransient, true)
        }
    }

    func testFileVaultKeepsItsItemsPrivate() async throws {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: directory) }
        let account = Account(clientID: "c", user: "../../etc")
        let credential = Credential(bearer: "b", renewalSecret: "s", issuedAt: Date(timeIntervalSince1970: 1))
        try await FileVault(directory: directory).store(credential, for: account)

        let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
        XCTAssertEqual(names.count, 1)
        let path = directory.appendingPathComponent(names[0]).path
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        XCTAssertEqual(mode, 0o600)

        let reopened = FileVault(directory: directory)
        let memory = MemoryVault()
        let moved = try await reopened.migrate(account, to: memory)
        XCTAssertTrue(moved)
        let found = await memory[account]
        XCTAssertEqual(found, credential)
        let left = try await reopened.contains(account)
        XCTAssertFalse(left)
    }

    func testScopesAndDescriptions() {
        var scopes: ScopeSet = ["b", "a"]
        scopes["c"] = true
        scopes["b"] = false
        XCTAssertEqual(scopes.spaceSeparated, "a c")
        XCTAssertEqual(scopes.missing(from: ["a"]), ["c"])
        let credential = Credential(bearer: "hunter2", issuedAt: Date())
        XCTAssertFalse("\(credential)".contains("hunter2"))
    }
}
