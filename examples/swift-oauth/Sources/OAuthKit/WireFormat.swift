import Foundation

/// Parameter names as RFC 6749 and RFC 7636 spell them. The rest of the library uses our own words.
enum WireName: String {
    case grantType = "grant_type"
    case clientID = "client_id"
    case clientSecret = "client_secret"
    case code
    case redirectURI = "redirect_uri"
    case responseType = "response_type"
    case renewalSecret = "refresh_token"
    case scope
    case state
    case verifier = "code_verifier"
    case challenge = "code_challenge"
    case challengeMethod = "code_challenge_method"
    case error
    case errorDescription = "error_description"
}

typealias FormField = (name: WireName, value: String)

extension Grant {
    var label: String {
        switch self {
        case .code: return "authorization_code"
        case .renewal: return WireName.renewalSecret.rawValue
        case .client: return "client_credentials"
        }
    }

    var formFields: [FormField] {
        var fields: [FormField] = [(.grantType, label)]
        switch self {
        case let .code(code, redirect, verifier):
            fields.append((.code, code))
            fields.append((.redirectURI, redirect.absoluteString))
            fields.append((.verifier, verifier))
        case let .renewal(secret, scopes):
            fields.append((.renewalSecret, secret))
            if !scopes.isEmpty { fields.append((.scope, scopes.spaceSeparated)) }
        case let .client(scopes):
            if !scopes.isEmpty { fields.append((.scope, scopes.spaceSeparated)) }
        }
        return fields
    }
}

/// The endpoint's answer before anybody has looked at it critically.
enum EndpointReply {
    case issued(Issue)
    case refused(OAuthError.Refusal)

    struct Issue: Decodable {
        let bearer: String
        let kind: String
        let lifetime: TimeInterval?
        let renewalSecret: String?
        let scope: String?

        enum CodingKeys: String, CodingKey {
            case bearer = "access_token"
            case kind = "token_type"
            case lifetime = "expires_in"
            case renewalSecret = "refresh_token"
            case scope
        }

        init(from decoder: Decoder) throws {
            let box = try decoder.container(keyedBy: CodingKeys.self)
            bearer = try box.decode(String.self, forKey: .bearer)
            kind = try box.decodeIfPresent(String.self, forKey: .kind) ?? "Bearer"
            renewalSecret = try box.decodeIfPresent(String.self, forKey: .renewalSecret)
            scope = try box.decodeIfPresent(String.self, forKey: .scope)
            // Several providers quote the number.
            if let text = try? box.decodeIfPresent(String.self, forKey: .lifetime) {
                lifetime = TimeInterval(text)
            } else {
                lifetime = try box.decodeIfPresent(TimeInterval.self, forKey: .lifetime)
            }
        }
    }

    private struct Complaint: Decodable {
        let error: String
        let error_description: String?
    }

    init(_ response: HTTPResponse) throws {
        let decoder = JSONDecoder()
        switch response.status {
        case 200..<300:
            do {
                self = .issued(try decoder.decode(Issue.self, from: response.body))
            } catch {
                throw OAuthError.malformedReply("unreadable answer of \(response.body.count) bytes")
            }
        case 400..<500:
            guard let complaint = try? decoder.decode(Complaint.self, from: response.body) else {
                throw OAuthError.malformedReply("status \(response.status) without an error code")
            }
            self = .refused(.init(code: complaint.error, explanation: complaint.error_description))
        default:
            throw OAuthError.unavailable(status: response.status)
        }
    }

    func credential(countingFrom start: Date) throws -> Credential {
        switch self {
        case .refused(let refusal):
            throw OAuthError.refused(refusal)
        case .issued(let issue):
            guard issue.kind.lowercased() == "bearer" else {
                throw OAuthError.malformedReply("unsupported kind \(issue.kind)")
            }
            return Credential(
                bearer: issue.bearer,
                renewalSecret: issue.renewalSecret,
                issuedAt: start,
                expiresAt: issue.lifetime.map(start.addingTimeInterval),
                scopes: ScopeSet(spaceSeparated: issue.scope ?? "")
            )
        }
    }
}

extension HTTPRequest {
    mutating func setForm(_ fields: [FormField]) {
        headers["Content-Type"] = "application/x-www-form-urlencoded"
        let pairs = fields.map { "\($0.name.rawValue)=\($0.value.formEncoded)" }
        body = Data(pairs.joined(separator: "&").utf8)
    }
}

extension String {
    private static let unreserved: CharacterSet = {
        var set = CharacterSet()
        set.insert(charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
        return set
    }()

    var formEncoded: String {
        addingPercentEncoding(withAllowedCharacters: Self.unreserved) ?? self
    }
}
