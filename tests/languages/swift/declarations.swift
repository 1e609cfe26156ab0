// imports: Foundation, UIKit
import Foundation
import class UIKit.UIView

/// Talks to the server.
///
/// One for each host.
@objc
public final class Session<T: Codable, U>: NSObject, Cache.Delegate where U: Hashable {
//                 ^ defines: class Session
//                 ^ spans: 5-110
//                 ^ inherits: NSObject, Cache.Delegate
//                 ^ generics: T: Codable, U: Hashable
//                 ^ flagged: public
//                 ^ documented: Talks to the server. /  / One for each host.
//                 ^ signed: public final class Session<T: Codable, U>: NSObject, Cache.Delegate where U: Hashable
//                            ^ refers: type Codable
//                                         ^ refers: inherit NSObject
//                                                         ^ refers: inherit Delegate [Cache!]
//                                                                        ^ refers: nothing
//                                                                           ^ refers: type Hashable
    static let shared = Session(host: "a")
    //         ^ defines: property Session.shared
    //         ^ container: Session
    //         ^ flagged: static
    //         ^ typed:
    //         ^ initialised: Session(host:)
    //                  ^ refers: call Session (host:)
    //                  ^ by: Session.shared

    private(set) weak var client: HTTPClient? = nil
    //                    ^ defines: property Session.client
    //                    ^ flagged:
    //                    ^ typed: HTTPClient
    //                    ^ signed: private(set) weak var client: HTTPClient? = nil
    //                            ^ refers: type HTTPClient

    // Not a doc comment, but said of it.
    private var (left, right): (Int, [String: Item]) = (1, [:])
    //           ^ defines: property Session.left
    //           ^ typed: Int
    //           ^ documented: Not a doc comment, but said of it.
    //                 ^ defines: property Session.right
    //                 ^ typed: Dictionary<String, Item>
    //                 ^ flagged: private

    var first, second: Foo.Bar!, third = 3
    //  ^ defines: property Session.first
    //  ^ typed: Foo.Bar
    //         ^ typed: Foo.Bar
    //                           ^ initialised: <Int>

    @Published(initial: .empty) var items: [Item?] = [] { didSet { report(oldValue) } }
    // <- defines: nothing
    // ^ refers: nothing
    //                              ^ defines: property Session.items
    //                              ^ typed: Array<Item>

    var count: Int { get async throws { try await items.count } }
    //  ^ defines: property Session.count
    //  ^ flagged: async, computed, throws

    @available(*, deprecated, message: "no more")
    open override class func request(_ url: URL, method m: HTTPMethod = .get, tags: String..., done: @escaping @Sendable (Result<Data, Error>) -> Void) async throws -> some Task? {}
    //                       ^ defines: method Session.request(_:method:tags:done:)
    //                       ^ spans: 63-64
    //                       ^ flagged: async, deprecated, override, public, static, throws
    //                       ^ parameters: _ url: URL, method m: HTTPMethod =, tags: String..., done: Function<Void, Result<Data, Error>>
    //                       ^ typed: Task
    //                                                                   ^ refers: access get [~] => HTTPMethod

    /// - Deprecated: use the other.
    func old() {}
    //   ^ flagged: deprecated

    convenience init?<S>(from s: S, _ b: inout Int) throws where S: Sequence { self.init() }
    //          ^ defines: initializer Session.init(from:_:)
    //          ^ flagged: failable, throws
    //          ^ generics: S: Sequence
    //                                                                              ^ refers: call init [self] ()

    deinit { close() }
    // <- defines: deinitializer Session.deinit
    //       ^ by: Session.deinit

    subscript(index: Int, at name: String = "x") -> Item? { items[index] }
    // <- defines: subscript Session.subscript(_:at:)
    // <- parameters: _ index: Int, at name: String =
    // <- typed: Item

    func work(
        a: Int, // counts
        b: some Collection
    ) -> (Int, x: any P & Q)
    //                ^ refers: type P
    //                    ^ refers: type Q
    {
    }

    struct Key: Hashable { let raw: String }
    //     ^ defines: struct Session.Key
    //     ^ container: Session
    //                         ^ defines: property Session.Key.raw
    //                         ^ container: Session.Key

    typealias Table<V> = Dictionary<Key, V>
    //        ^ defines: typealias Session.Table
    //        ^ typed: Dictionary<Key, V>
    //        ^ generics: V
}

/* Block comments
   count as well. */
indirect enum Route: String, CaseIterable {
//            ^ defines: enum Route
//            ^ documented: Block comments / count as well.
    case home = "/", detail(id: Int, _ tab: Tab = .first, String)
    //   ^ defines: case Route.home
    //   ^ typed: Route
    //   ^ signed: case home = "/"
    //               ^ defines: case Route.detail(id:_:_:)
    //               ^ parameters: id: Int, _ tab: Tab =, _: String
    //                                      ^ refers: type Tab
    //                                             ^ refers: access first [~] => Tab
    //                                             ^ by: Route.detail(id:_:_:)
}

actor Store {}
//    ^ defines: actor Store

protocol Transport: AnyObject, Sendable {
//       ^ defines: protocol Transport
//       ^ inherits: AnyObject, Sendable
    associatedtype Body: Codable = Data
    //             ^ defines: typealias Transport.Body
    //             ^ inherits: Codable
    //             ^ typed: Data
    var timeout: Double { get async }
    //  ^ defines: property Transport.timeout
    //  ^ flagged: async
    //  ^ signed: var timeout: Double { get async }
    static func send(_ body: Body) throws -> Response
    //          ^ defines: method Transport.send(_:)
    //          ^ flagged: static, throws
    init(host: String)
    // <- defines: initializer Transport.init(host:)
    subscript(key: String) -> Int { get }
    // <- defines: subscript Transport.subscript(_:)
}

private extension Outer.Inner where Element: Equatable {
//                ^ defines: extension Outer.Inner
//                ^ container:
//                ^ generics: Element: Equatable
//                      ^ refers: type Inner [Outer!]
    func helper() {}
    //   ^ defines: method Outer.Inner.helper()
    //   ^ container: Outer.Inner
    //   ^ flagged: private
    struct Nested { func deep() {} }
    //     ^ defines: struct Outer.Inner.Nested
    //                   ^ container: Outer.Inner.Nested
}

extension [Int]: P {}
//        ^ defines: extension Array

infix operator <+>: AdditionPrecedence
//             ^ defines: operator <+>

func <+> (left: Int, right: Int) -> Int { left }
//   ^ defines: operator <+>(_:_:)

@freestanding(expression) public macro stringify<T>(_ value: T) -> (T, String) = #externalMacro(module: "M", type: "S")
//                                     ^ defines: macro stringify(_:)
//                                     ^ typed: Tuple<T, String>

let é = 1, limit: Int = 3
//  ^ defines: variable é
//         ^ defines: variable limit
//         ^ typed: Int

func free<A, B: P & Q>(x: A) -> B {
//   ^ defines: function free(x:)
//   ^ generics: A, B: P
    func inner(_ y: A) -> Int { 1 }
    //   ^ defines: function free(x:).inner(_:)
    //   ^ container:
    struct Local { let z: Int }
    //     ^ defines: struct free(x:).Local
    //     ^ container:
    //                 ^ container: Local
    let local = 1
    //  ^ defines: nothing
}

#if DEBUG
func debug() {}
//   ^ defines: function debug()
#else
func release() {}
//   ^ defines: function release()
#endif

@main struct App { static func main() {} }
//           ^ flagged: entry
//                             ^ flagged: entry, static
