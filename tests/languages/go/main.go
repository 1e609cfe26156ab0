package main

import . "example.com/dot"

func main() { Run() }
//   ^ defines: function main
//   ^ flagged: ENTRY
//            ^ refers: call Run by main
