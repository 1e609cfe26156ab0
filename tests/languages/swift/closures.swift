// breaks: 4, 6, 12, 15, 17, 23, 25, 26, 28, 29, 30
final class Worker {
    func run(_ items: [Item]) {
        short { a() }
        //      ^ by: Worker.run(_:)
        items.forEach { $0.go() }
        //                 ^ refers: call go [<Item>] ()
        queue.async { [weak self, limit = self.limit] in
        //          ^ defines: closure Worker.run(_:).closure@8
        //          ^ spans: 8-17
        //          ^ signed: queue.async { [weak self, limit = self.limit] in
            self?.finish()
            //    ^ refers: call finish [self] ()
            //    ^ by: Worker.run(_:).closure@8
            limit.raise()
            //    ^ refers: call raise [self.limit] ()
        }
        items.map { item in
        //        ^ defines: closure Worker.run(_:).closure@18
            item.start { inner in
            //   ^ refers: call start [<Item>] () +1
            //         ^ defines: closure Worker.run(_:).closure@18.closure@20
                inner.stop()
            //        ^ refers: call stop [<Item>.start().<-+0.->0] ()
            }
            item.end { _ in }
            //       ^ defines: nothing
        }
        finally()
    }
}
