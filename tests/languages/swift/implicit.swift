enum Color { case red, mixed(Int), named(name: String) }

final class Painter {
    var color: Color = .red
    //                  ^ refers: access red [~] => Color
    var other = Color.red
    //                ^ refers: access red [Color!]
    lazy var late: Color = { .red }()
    //                        ^ refers: access red [~] => Color
    var all: [Color] = [.red, .mixed(1)]
    //                   ^ refers: access red [~] => Color
    //                         ^ refers: call mixed [~] (_:) => Color
    var byName: [String: Color] = ["a": .red]
    //                                   ^ refers: access red [~] => Color
    let make: (Int) -> Color = { _ in .red }
    //                                 ^ refers: access red [~] => Color

    func paint(with color: Color = .red) -> Color {
    //                              ^ refers: access red [~] => Color
        self.color = .mixed(2)
        //            ^ refers: call mixed [~] (_:) => Color
        color == .red
        //        ^ refers: access red [~] => Color
        let local: Color = flag ? .red : .mixed(1)
        //                         ^ refers: access red [~] => Color
        //                                ^ refers: call mixed [~] (_:) => Color
        unknown(.red)
        //       ^ refers: access red [unknown(_:).<-0.~]
        switch self.color {
        case .red: break
        //    ^ refers: access red [~] => Color
        case .mixed(let amount) where amount > 1: amount.show()
        //    ^ refers: access mixed [~] => Color
        //                                               ^ refers: call show [<Int>] ()
        case let .named(name): name.show()
        //        ^ refers: access named [~] => Color
        //                          ^ refers: call show [<String>] ()
        case Color.red: break
        //         ^ refers: access red [Color!]
        }
        if case .named(name: let n) = local { n.show() }
        //       ^ refers: access named [~] => Color
        //             ^ refers: nothing
        return .red.darker()
        //      ^ refers: access red [~] => Color
        //          ^ refers: call darker [Color!.red] () => Color
    }

    func single() -> Color { .red }
    //                        ^ refers: access red [~] => Color
    var computed: Color { if flag { .red } else { .mixed(1) } }
    //                               ^ refers: access red [~] => Color
    //                                             ^ refers: call mixed [~] (_:) => Color
}

extension Color {
    var isRed: Bool {
        if case .red = self { return true }
        //       ^ refers: access red [~] => Color
        switch self { case .red: return true; default: return false }
        //                  ^ refers: access red [~] => Color
    }
}
