import XCTest
@testable import OAuthKit

final class ClientTests: XCTestCase {
    private let resource = HTTPRequest(.get, URL(string: "https://api.example/me")!)

    private func server(accepting bearer: String, header: String? = nil)
        -> @Sendable (HTTPRequest, Int) async throws -> HTTPResponse
    {
        { request, _ in
            if request.method == .post { return .issue("b1", secret: "s1") }
            if request.headers["authorization"] == "Bearer \(bearer)" { return HTTPResponse(status: 200) }
            var response = HTTPResponse(status: 401)
            response.headers["WWW-Authenticate"] = header
            return response
        }
    }

    func testRejectedRequestIsSignedAfresh() async throws {
        let bench = Bench(server(accepting: "b1", header: "Bearer realm=\"a, \\\"b\\\"\", error=invalid_token"))
        let client = AuthorizedClient(gate: bench.gate, transport: bench.transport)
        let response = try await client.send(resource)
        XCTAssertEqual(response.status, 200)
        let methods = await bench.transport.seen.map(\.method)
        XCTAssertEqual(methods, [.get, .post, .get])
    }

    func testSecondRejectionIsReturned() async throws {
        let bench = Bench(server(accepting: "nobody"))
        let client = AuthorizedClient(gate: bench.gate, transport: bench.transport)
        let response = try await client.send(resource)
        XCTAssertEqual(response.status, 401)
        let count = await bench.transport.seen.count
        XCTAssertEqual(count, 3)
    }

    func testScopeChallengeIsNotAnswered() async throws {
        let bench = Bench(server(accepting: "b1", header: "Bearer error=\"insufficient_scope\", scope=\"x\""))
        let client = AuthorizedClient(gate: bench.gate, transport: bench.transport)
        let response = try await client.send(resource)
        XCTAssertEqual(response.status, 401)
        let count = await bench.transport.seen.count
        XCTAssertEqual(count, 1)
    }

    func testAdapterChainKeepsBothHeadersOnTheSecondAttempt() async throws {
        let bench = Bench(server(accepting: "b1"))
        let adapter = FixedHeaderAdapter("X-App") { "1" }.followed(by: BearerSigner(gate: bench.gate))
        let client = AuthorizedClient(gate: bench.gate, transport: bench.transport, adapter: adapter)
        _ = try await client.send(resource)
        let last = await bench.transport.seen.last
        XCTAssertEqual(last?.headers["x-app"], "1")
        XCTAssertEqual(last?.headers["Authorization"], "Bearer b1")
    }

    func testChallengeParsing() {
        let response = HTTPResponse(
            status: 401, headers: ["www-authenticate": "Bearer realm=\"a \\\"b\\\"\", error=\"invalid_token\""])
        let challenge = Challenge(response)
        XCTAssertEqual(challenge?.parameters, ["realm": "a \"b\"", "error": "invalid_token"])
        XCTAssertNil(Challenge(HTTPResponse(status: 403)))
    }

    @available(*, deprecated, message: "tests deprecated API")
    func testVersionOneNamesStillWork() async throws {
        let bench = Bench(server(accepting: "b1"))
        let client = AuthorizedClient(gate: bench.gate, transport: bench.transport)
        let bearer = try await client.refreshToken()
        XCTAssertEqual(bearer, "b1")
        let again = try await client.accessToken
        XCTAssertEqual(again, "b1")
    }

    func testRetrierHonoursTolerance() async throws {
        let clock = ManualTimekeeper()
        let start = clock.now
        let flaky = ScriptedTransport { _, count in
            if count == 1 { throw TransportFailure.unsent("dns") }
            if count == 2 { return HTTPResponse(status: 503, headers: ["Retry-After": "7"]) }
            return HTTPResponse(status: 200)
        }
        let retrier = TransportRetrier(transport: flaky, clock: clock)
        let response = try await retrier.perform(resource, tolerance: .unsentOnly)
        XCTAssertEqual(response.status, 200)
        XCTAssertEqual(clock.elapsed(since: start), 7.5, accuracy: 0.001)

        let dead = ScriptedTransport { _, _ in throw TransportFailure.unsent("dns") }
        let stubborn = TransportRetrier(transport: dead, clock: clock)
        let error = await thrown { try await stubborn.perform(resource, tolerance: .never) }
        XCTAssertEqual(error, .unreachable(.unsent("dns")))
        let count = await dead.seen.count
        XCTAssertEqual(count, 1)
    }

    func testBucketMakesTheFourthRequestWait() async throws {
        let clock = ManualTimekeeper()
        let start = clock.now
        let bucket = TokenBucket(capacity: 3, refillPerSecond: 0.5, clock: clock)
        let transport = ThrottledTransport(ScriptedTransport { _, _ in HTTPResponse(status: 200) }, bucket: bucket)
        for _ in 0..<4 { _ = try await transport.deliver(resource) }
        XCTAssertEqual(clock.elapsed(since: start), 2, accuracy: 0.01)
    }

    func testFlightsAreSharedByKeyAndForgotten() async throws {
        let flights = SingleFlight<Int, Int>()
        let starts = Guarded(wrappedValue: 0)
        let work: @Sendable () async throws -> Int = {
            try await Task.sleep(nanoseconds: 30_000_000)
            return starts.withLock { $0 += 1; return $0 }
        }
        async let a = flights.run(1, work)
        async let b = flights.run(1, work)
        let pair = try await [a, b]
        XCTAssertEqual(pair, [1, 1])
        let third = try await flights.run(1, work)
        XCTAssertEqual(third, 2)
        let idle = await flights.isIdle
        XCTAssertTrue(idle)
    }
}
