final class Loader<Element: Model> {
    let client: Client
    let cache = Cache.shared
    var handler: ((Int) -> Response)?
    @Injected(\.logger) var logger

    func load(_ url: URL, count: Int, transform: (Int) -> Int) async throws -> Response {
        prepare()
        // <- refers: call prepare ()
        // <- by: Loader.load(_:count:transform:)
        client.send(url, retries: count) { $0 } onError: { _ in }
        // <- refers: access client
        //     ^ refers: call send [client] (_:retries:) +2
        //          ^ refers: nothing
        self.client.make(for: url)?.session!.start().state
        //   ^ refers: access client [self]
        //          ^ refers: call make [self.client] (for:)
        //                          ^ refers: access session [self.client.make(for:)]
        //                                   ^ refers: call start [self.client.make(for:).session] ()
        //                                           ^ refers: access state [self.client.make(for:).session.start()]
        let made = Request(url: url)
        //         ^ refers: call Request (url:)
        made.resume()
        // <- refers: nothing
        //   ^ refers: call resume [Request(url:)] ()
        url.standardized.open()
        //  ^ refers: access standardized [<URL>]
        transform(count)
        // <- refers: nothing
        Response.Kind.make().value
        // <- refers: nothing
        //       ^ refers: nothing
        //            ^ refers: call make [Response.Kind!] ()
        Outer.Inner(x: 1).run()
        //    ^ refers: call Inner [Outer!] (x:)
        //                ^ refers: call run [Outer!.Inner(x:)] ()
        Set<Item>(list).first
        // <- refers: call Set (_:)
        //  ^ refers: type Item
        //              ^ refers: access first [<Set<Item>>]
        [Item]().append(made)
        //^ refers: nothing
        //       ^ refers: call append [<Array<Item>>] (_:)
        Box<Item>.shared.open()
        //        ^ refers: access shared [~] => Box
        let other = decode<Item>(url)
        //          ^ refers: call decode (_:)
        Request.init(url: url).resume()
        //      ^ refers: call init [Request!] (url:)
        //                     ^ refers: call resume [<Request>] ()
        super.load()
        //    ^ refers: call load [super] ()
        Self.reset()
        //   ^ refers: call reset [Self!] ()
        Self(client)
        // <- refers: call init [Self!] (_:)
        type(of: self).reset()
        //             ^ refers: call reset [Self!] ()
        Element.fetch()
        //      ^ refers: call fetch [Model!] ()
        Element(client)
        // <- refers: call init [Model!] (_:)
        list.map(transform(_:to:)).map(self.convert)
        //       ^ refers: nothing
        //                                  ^ refers: access convert [self]
        list.map(convert(_:to:))
        //       ^ refers: access convert (_:to:)
        list[0].go()
        // <- refers: access list
        //      ^ refers: call go [list[]] ()
        self[safe: 0].go()
        //  ^ refers: call subscript [self] (safe:)
        let path = \Loader.client.host
        //                 ^ refers: access client [<Loader>]
        //                        ^ refers: access host [<Loader>.client]
        (made as? Special)?.act()
        //        ^ refers: type Special
        //                  ^ refers: call act [<Special>] ()
        try await (url ?? fallback).fetch()
        //                          ^ refers: call fetch [<URL>] ()
        a <+> b
        //^ refers: call <+> (_:_:)
        a == b
        //^ refers: nothing
        #stringify(made)
        //^ refers: nothing
        handler?(1).status
        // <- refers: call handler (_:)
        print("\(made.description)")
        //            ^ refers: access description [Request(url:)]
        if made is Special {}
        //         ^ refers: type Special
        tableView.register(Cell.self)
        //                 ^ refers: type Cell
        $logger.log(_logger)
        //^ refers: nothing
        return .init(made)
        //      ^ refers: call init [~] (_:) => Response
    }

    func failing() throws(LoadError) -> Int { 1 }
    //                    ^ refers: type LoadError
}

@Observable
// <- refers: nothing
struct Model {}
