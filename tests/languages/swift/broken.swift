struct Whole { func fine() { call() } }
//                  ^ defines: method Whole.fine()

final class Cut {
//          ^ defines: class Cut
    func first() { one() }
    //   ^ defines: method Cut.first()

    func second() { if x {
    //   ^ defines: method Cut.second()
