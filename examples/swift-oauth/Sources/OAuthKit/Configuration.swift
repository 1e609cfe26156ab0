import Foundation

/// Everything the library must know about a provider and about the client registered there.
public struct ClientConfiguration: Hashable, Codable, Sendable {
    public var clientID: String
    public var clientSecret: String?
    public var authenticationStyle: Style?
    public var authorizationEndpoint: URL
    /// Where grants are traded for credentials.
    public var exchangeEndpoint: URL
    public var redirectURI: URL
    public var scopes: ScopeSet

    public enum Style: String, Codable, Sendable {
        case basic, form
    }

    /// How the client proves to the endpoint that it is itself.
    public enum ClientAuthentication: Hashable, Sendable {
        case none
        case basic(secret: String)
        case form(secret: String)
    }

    enum CodingKeys: String, CodingKey {
        case clientID = "client_id"
        case clientSecret = "client_secret"
        case authenticationStyle = "authentication_style"
        case authorizationEndpoint = "authorization_endpoint"
        case exchangeEndpoint = "token_endpoint"
        case redirectURI = "redirect_uri"
        case scopes
    }

    public init(
        clientID: String,
        clientSecret: String? = nil,
        authenticationStyle: Style? = nil,
        authorizationEndpoint: URL,
        exchangeEndpoint: URL,
        redirectURI: URL,
        scopes: ScopeSet = []
    ) {
        self.clientID = clientID
        self.clientSecret = clientSecret
        self.authenticationStyle = authenticationStyle
        self.authorizationEndpoint = authorizationEndpoint
        self.exchangeEndpoint = exchangeEndpoint
        self.redirectURI = redirectURI
        self.scopes = scopes
    }

    public var clientAuthentication: ClientAuthentication {
        guard let secret = clientSecret else { return .none }
        switch authenticationStyle ?? .basic {
        case .basic: return .basic(secret: secret)
        case .form: return .form(secret: secret)
        }
    }

    public func account(for user: String = "default") -> Account {
        Account(clientID: clientID, user: user)
    }
}

extension ClientConfiguration {
    public init(json data: Data) throws {
        try self.init(decodingWith: { try JSONDecoder().decode(Self.self, from: data) })
    }

    public init(propertyList data: Data) throws {
        try self.init(decodingWith: { try PropertyListDecoder().decode(Self.self, from: data) })
    }

    /// Chooses the format by the file's extension; anything but `plist` is taken for JSON.
    public init(contentsOf file: URL) throws {
        let data: Data
        do {
            data = try Data(contentsOf: file)
        } catch {
            throw OAuthError.invalidConfiguration("cannot read \(file.lastPathComponent)")
        }
        if file.pathExtension.lowercased() == "plist" {
            try self.init(propertyList: data)
        } else {
            try self.init(json: data)
        }
    }

    private init(decodingWith decode: () throws -> Self) throws {
        do {
            self = try decode()
        } catch DecodingError.keyNotFound(let key, _) {
            throw OAuthError.invalidConfiguration("\(key.stringValue) is missing")
        } catch {
            throw OAuthError.invalidConfiguration("unreadable")
        }
        try validate()
    }

    func validate() throws {
        if clientID.isEmpty { throw OAuthError.invalidConfiguration("client_id is empty") }
        for endpoint in [authorizationEndpoint, exchangeEndpoint] where !endpoint.isConfidential {
            throw OAuthError.invalidConfiguration("\(endpoint) is not https")
        }
    }
}

private extension URL {
    /// Plain HTTP is fine as long as it does not leave the machine.
    var isConfidential: Bool {
        scheme == "https" || ["localhost", "127.0.0.1", "::1"].contains(host ?? "")
    }
}
