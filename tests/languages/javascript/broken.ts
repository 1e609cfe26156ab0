// problems: syntax not understood at line 2
export class Cart {
  // <- refers: nothing
  //         ^ defines: nothing
  total( { return this.items.sum(; }
  after(): Cart { return helper(); }
}

export function last() { return 1; }
//              ^ defines: function last
