import Foundation

let arguments = CommandLine.arguments
//  ^ defines: variable arguments
//              ^ refers: nothing
//                          ^ refers: access arguments [CommandLine!]

func usage() { print("usage") }
//   ^ defines: function usage()

if arguments.count < 2 {
// <- defines: nothing
    usage()
    // <- refers: call usage ()
    // <- by: main
}
run(arguments)
// <- by: main
