final class Sum {
    var kind: Kind
    var list: [Kind]

    func add() {
        let one = first(0) + second.make(1) + third(2)
        //        ^ refers: call first (_:)
        //                   ^ refers: access second
        //                          ^ refers: call make [second] (_:)
        //                                    ^ refers: call third (_:)
        let two = kind == .of(1) && !flag.isSet(now: true)
        //                 ^ refers: call of [~] (_:) => Kind
        //                                ^ refers: call isSet [flag] (now:)
        if kind == .left || kind != .right, list.contains(.left) { }
        //          ^ refers: access left [~] => Kind
        //                           ^ refers: access right [~] => Kind
        //                                                 ^ refers: access left [list.contains(_:).<-0.~]
        let three = -amount.value() ?? fallback.value()
        //                  ^ refers: call value [amount] ()
        //                                      ^ refers: call value [fallback] ()
        let four = flag ? make(1) : other.make(2)
        //                ^ refers: call make (_:)
        //                                ^ refers: call make [other] (_:)
        for index in 0 ..< list.total() { }
        //                      ^ refers: call total [list] ()
        total += list.total()
        //            ^ refers: call total [list] ()
        let five = √amount.value() <*> other.value(1)
        //         ^ refers: call √ (_:)
        //                 ^ refers: call value [amount] ()
        //                         ^ refers: call <*> (_:_:)
        //                                   ^ refers: call value [other] (_:)
        guard let six = try? load(1) as? Kind else { return }
        //                   ^ refers: call load (_:)
        six.go()
        //  ^ refers: call go [<Kind>] ()
        _ = list.reduce(0, +)
        //       ^ refers: call reduce [list] (_:_:)
        if await !store.has(six) { }
        //              ^ refers: call has [store] (_:)
    }
}
