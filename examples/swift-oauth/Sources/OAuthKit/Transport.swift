import Foundation
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Header fields with case-insensitive names.
public struct HeaderFields: Hashable, Sendable, ExpressibleByDictionaryLiteral {
    private var storage: [String: String] = [:]

    public init(dictionaryLiteral elements: (String, String)...) {
        for (name, value) in elements { self[name] = value }
    }

    public subscript(name: String) -> String? {
        get { storage[name.lowercased()] }
        set { storage[name.lowercased()] = newValue }
    }

    public var pairs: [(name: String, value: String)] {
        storage.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}

public struct HTTPRequest: Hashable, Sendable {
    public enum Method: String, Sendable {
        case get = "GET", post = "POST", put = "PUT", patch = "PATCH", delete = "DELETE"
    }

    public var method: Method
    public var url: URL
    public var headers: HeaderFields = [:]
    public var body: Data?

    public init(_ method: Method = .get, _ url: URL, body: Data? = nil) {
        self.method = method
        self.url = url
        self.body = body
    }
}

public struct HTTPResponse: Hashable, Sendable {
    public var status: Int
    public var headers: HeaderFields
    public var body: Data

    public init(status: Int, headers: HeaderFields = [:], body: Data = Data()) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    public var isSuccess: Bool { (200..<300).contains(status) }
}

/// Why no response came back.
public enum TransportFailure: Error, Hashable, Sendable {
    /// The request surely did not reach the server.
    case unsent(String)
    /// It may or may not have been processed.
    case interrupted(String)
}

/// Carries one request to a server and brings one response back.
///
/// A status such as 500 is a response, not an error. Conformers throw ``TransportFailure`` only.
public protocol Transport: Sendable {
    func deliver(_ request: HTTPRequest) async throws -> HTTPResponse
    /// A name for log lines.
    var label: String { get }
}

extension Transport {
    public var label: String { String(describing: type(of: self)) }

    public func deliver(_ url: URL) async throws -> HTTPResponse {
        try await deliver(HTTPRequest(.get, url))
    }

    public func deliver<Value: Decodable>(_ request: HTTPRequest, decoding type: Value.Type) async throws -> Value {
        let response = try await deliver(request)
        guard response.isSuccess else { throw OAuthError.unavailable(status: response.status) }
        return try JSONDecoder().decode(type, from: response.body)
    }
}

/// The transport for production: `URLSession`, on Apple platforms and on Linux alike.
public struct URLSessionTransport: Transport {
    private let session: URLSession

    public init(timeout: TimeInterval = 30) {
        let settings = URLSessionConfiguration.ephemeral
        settings.timeoutIntervalForRequest = timeout
        settings.httpShouldSetCookies = false
        session = URLSession(configuration: settings)
    }

    public func deliver(_ request: HTTPRequest) async throws -> HTTPResponse {
        let foundationRequest = URLRequest(request)
        return try await withCheckedThrowingContinuation { continuation in
            let task = session.dataTask(with: foundationRequest) { data, response, error in
                if let http = response as? HTTPURLResponse {
                    continuation.resume(returning: HTTPResponse(http, body: data ?? Data()))
                } else {
                    continuation.resume(throwing: Self.failure(for: error))
                }
            }
            task.resume()
        }
    }

    private static func failure(for error: (any Error)?) -> TransportFailure {
        guard let error = error as? URLError else {
            return .interrupted(error.map { "\($0)" } ?? "no response")
        }
        switch error.code {
        case .cannotConnectToHost, .cannotFindHost, .dnsLookupFailed, .notConnectedToInternet:
            return .unsent(error.localizedDescription)
        default:
            return .interrupted(error.localizedDescription)
        }
    }
}

private extension URLRequest {
    init(_ request: HTTPRequest) {
        self.init(url: request.url)
        httpMethod = request.method.rawValue
        httpBody = request.body
        for (name, value) in request.headers.pairs {
            setValue(value, forHTTPHeaderField: name)
        }
    }
}

private extension HTTPResponse {
    init(_ response: HTTPURLResponse, body: Data) {
        var headers: HeaderFields = [:]
        for (name, value) in response.allHeaderFields {
            headers["\(name)"] = "\(value)"
        }
        self.init(status: response.statusCode, headers: headers, body: body)
    }
}
