import XCTest
@testable import OAuthKit

final class CredentialGateTests: XCTestCase {
    func testSoundCredentialCostsNoRequest() async throws {
        let bench = Bench { _, _ in .issue("b1") }
        let credential = try await bench.gate.usableCredential()
        XCTAssertEqual(credential.bearer, "b0")
        let seen = await bench.transport.seen
        XCTAssertTrue(seen.isEmpty)
    }

    func testLapsedCredentialIsSucceededAndStored() async throws {
        let bench = Bench { _, _ in .issue("b1", secret: "s1") }
        bench.clock.advance(by: 700)
        let credential = try await bench.gate.usableCredential()
        XCTAssertEqual(credential.bearer, "b1")
        XCTAssertEqual(credential.renewalSecret, "s1")
        XCTAssertTrue(credential.scopes["mail"], "scopes are inherited when the reply names none")
        let stored = await bench.vault[bench.account]
        XCTAssertEqual(stored, credential)
        let forms = await bench.transport.forms
        XCTAssertEqual(forms, ["grant_type=refresh_token&refresh_token=s0&scope=mail&client_id=client"])
    }

    func testSecretIsKeptWhenTheProviderDoesNotRotate() async throws {
        let bench = Bench { _, _ in .issue("b1") }
        bench.clock.advance(by: 700)
        let credential = try await bench.gate.usableCredential()
        XCTAssertEqual(credential.renewalSecret, "s0")
    }

    func testManyCallersShareOneExchange() async throws {
        let bench = Bench { _, _ in
            try await Task.sleep(nanoseconds: 50_000_000)
            return .issue("b1", secret: "s1")
        }
        bench.clock.advance(by: 700)
        let bearers = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<20 {
                group.addTask { try await bench.gate.usableCredential().bearer }
            }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        XCTAssertEqual(bearers, ["b1"])
        let count = await bench.transport.seen.count
        XCTAssertEqual(count, 1)
    }

    func testFadingCredentialSurvivesAnOutage() async throws {
        let bench = Bench { _, _ in throw TransportFailure.interrupted("cable") }
        bench.clock.advance(by: 570)
        let credential = try await bench.gate.usableCredential()
        XCTAssertEqual(credential.bearer, "b0")
        let count = await bench.transport.seen.count
        XCTAssertEqual(count, 1, "an interrupted renewal may have been processed, so it is not repeated")
    }

    func testLapsedCredentialDoesNotSurviveAnOutage() async {
        let bench = Bench { _, _ in throw TransportFailure.interrupted("cable") }
        bench.clock.advance(by: 700)
        let error = await thrown { try await bench.gate.usableCredential() }
        XCTAssertEqual(error, .unreachable(.interrupted("cable")))
    }

    func testFinalRefusalEmptiesTheVault() async throws {
        let bench = Bench { _, _ in .refusal("invalid_grant") }
        bench.clock.advance(by: 700)
        let error = await thrown { try await bench.gate.usableCredential() }
        XCTAssertEqual(error, .signInRequired(.revokedByProvider))
        let kept = await bench.vault.contains(bench.account)
        XCTAssertFalse(kept)
        let next = await thrown { try await bench.gate.usableCredential() }
        XCTAssertEqual(next, .signInRequired(.nothingStored))
    }

    func testWithoutSecretTheUserMustSignIn() async {
        let bench = Bench(secret: nil) { _, _ in .issue("b1") }
        bench.clock.advance(by: 700)
        let error = await thrown { try await bench.gate.usableCredential() }
        XCTAssertEqual(error, .signInRequired(.notRenewable))
    }

    func testReplacingAnAlreadyReplacedCredentialIsFree() async throws {
        let bench = Bench { _, count in .issue("b\(count)", secret: "s\(count)") }
        let first = try await bench.gate.usableCredential()
        let second = try await bench.gate.usableCredential(replacing: first.fingerprint)
        let third = try await bench.gate.usableCredential(replacing: first.fingerprint)
        XCTAssertEqual(second.bearer, "b1")
        XCTAssertEqual(third, second)
    }

    func testSigningOutDuringARenewalSticks() async throws {
        let bench = Bench { _, _ in
            try await Task.sleep(nanoseconds: 100_000_000)
            return .issue("b1", secret: "s1")
        }
        bench.clock.advance(by: 700)
        async let renewal = thrown { try await bench.gate.usableCredential() }
        while await bench.transport.seen.isEmpty { try await Task.sleep(nanoseconds: 1_000_000) }
        try await bench.gate.revoke()
        let error = await renewal
        XCTAssertEqual(error, .signInRequired(.nothingStored))
        let kept = try await bench.vault.contains(bench.account)
        XCTAssertFalse(kept)
    }

    func testObserversHearOfTheSuccession() async throws {
        let bench = Bench { _, _ in .issue("b1", secret: "s1") }
        let events = Guarded(wrappedValue: [String]())
        await bench.gate.observe { event in
            if case .succeeded(_, let heir) = event { events.withLock { $0.append("\(heir)") } }
        }
        bench.clock.advance(by: 700)
        let heir = try await bench.gate.usableCredential()
        XCTAssertEqual(events.wrappedValue, ["\(heir.fingerprint)"])
    }

    func testPolicyVerdicts() {
        let policy = ExpiryPolicy(leeway: 60, skew: 5)
        let start = Date(timeIntervalSince1970: 0)
        let long = Credential(bearer: "x", issuedAt: start, expiresAt: start + 600)
        XCTAssertEqual(policy.verdict(on: long, at: start), .sound(remaining: 595))
        XCTAssertEqual(policy.verdict(on: long, at: start + 560), .fading(remaining: 35))
        XCTAssertEqual(policy.verdict(on: long, at: start + 600), .lapsed(ago: 5))
        let short = Credential(bearer: "x", issuedAt: start, expiresAt: start + 30)
        XCTAssertEqual(policy.verdict(on: short, at: start + 5), .sound(remaining: 20))
        let endless = Credential(bearer: "x", issuedAt: start)
        XCTAssertEqual(policy.verdict(on: endless, at: start + 1e9), .openEnded)
    }
}
