// problems: syntax not understood at line 9
package broken

func whole() { other() }
//   ^ defines: function whole
//             ^ refers: call other ()
//             ^ by: whole

func torn( { after()

func last() {}
