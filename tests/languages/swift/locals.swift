struct Screen {
    var store: Store
    var table: [String: Row]

    func show(rows: [Row], names: [String: Name], page: Page?, more: Int...) {
        for row in rows { row.draw() }
        //                    ^ refers: call draw [<Row>] ()
        for (index, row) in rows.enumerated() { row.draw(index) }
        //                                          ^ refers: call draw [<Row>] (_:)
        for (key, name) in names { key.trim(); name.say() }
        //                             ^ refers: call trim [<String>] ()
        //                                          ^ refers: call say [<Name>] ()
        for item in store.items where item.ok { item.go() }
        //                                 ^ refers: access ok [store.items[]]
        for number in 0..<3 { number.show() }
        //                           ^ refers: call show [<Int>] ()
        for count in more { count.add() }
        //                        ^ refers: call add [<Int>] ()
        if let page { page.turn() }
        //                 ^ refers: call turn [<Page>] ()
        if let next = page?.next, next.ready { next.turn() }
        //                             ^ refers: access ready [<Page>.next]
        //                                          ^ refers: call turn [<Page>.next] ()
        else { next.turn() }
        //     ^ refers: access next
        guard let cell = store.first as? Cell else { return cell.never() }
        //                                                  ^ refers: access cell
        cell.fill()
        //   ^ refers: call fill [<Cell>] ()
        guard let self else { return }
        self.store.save()
        //         ^ refers: call save [self.store] ()
        guard let strong = self as? Other else { return }
        let other = self
        other.show()
        //    ^ refers: call show [self] ()
        var list = [Row()]
        list.first
        //   ^ refers: access first [<Array<Row>>]
        list[0].draw()
        //      ^ refers: call draw [<Row>] ()
        names["x"]?.say()
        //          ^ refers: call say [<Name>] ()
        let (left, right): (Row, Cell) = pair()
        right.fill()
        //    ^ refers: call fill [<Cell>] ()
        let typed: some View = build()
        typed.body
        //    ^ refers: access body [<View>]
        let text = "a"
        text.upper()
        //   ^ refers: call upper [<String>] ()
        let choice = flag ? Row() : nil
        choice.draw()
        //     ^ refers: call draw [Row()] ()
        let later = { (row: Row) -> Cell in row.cell }
        //                                      ^ refers: access cell [<Row>]
        later(row).fill()
        // <- refers: nothing
        //         ^ refers: call fill [<Cell>] ()
        do { try run() } catch let problem as Failure { problem.show() } catch { error.show() }
        //                                                      ^ refers: call show [<Failure>] ()
        //                                                                             ^ refers: call show [<Error>] ()
        while let line = reader.next() { line.print() }
        //                                    ^ refers: call print [reader.next()] ()
        func nested(_ row: Row) { row.draw(); cell.fill() }
        //                            ^ refers: call draw [<Row>] ()
        //                            ^ by: Screen.show(rows:names:page:more:).nested(_:)
        //                                         ^ refers: call fill [<Cell>] ()
        nested(list[0])
        // <- refers: call nested (_:)
    }

    var width: Int {
        get { store.width }
        set { newValue.check(); store.width = newValue }
        //             ^ refers: call check [<Int>] ()
    }

    var height: Int = 0 {
        willSet(coming) { coming.check() }
        //                       ^ refers: call check [<Int>] ()
        didSet { oldValue.check() }
        //                ^ refers: call check [<Int>] ()
        //                ^ by: Screen.height
    }

    func generic<T: Shape>(_ shape: T, other: [T]) where T: Drawable {
        shape.draw()
        //    ^ refers: call draw [<Shape>] ()
        let casted = shape as! T
        //                     ^ refers: nothing
    }
}
