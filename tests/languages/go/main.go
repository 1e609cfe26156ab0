package main

import . "example.com/dot"

func main() { Run() }
//   ^ defines: function main
//   ^ flagged: entry
//            ^ refers: call Run ()
//            ^ by: main
