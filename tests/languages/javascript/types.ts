// imports: ./cart, ./box
// binds: Cart = ./cart : Cart, box = ./box :
import type { Cart } from "./cart";
import box = require("./box");

export interface Shop extends Base, box.Holder<Cart> {
  //             ^ defines: protocol Shop
  //             ^ inherits: Base, box.Holder
  //                          ^ refers: inherit Base
  //                                    ^ refers: inherit Holder [box]
  name: string;
  // <- defines: property Shop.name
  // <- typed: string
  open(cart: Cart, at?: Date): Promise<Cart | undefined>;
  // <- defines: method Shop.open
  // <- typed: Cart
  // <- parameters: _ cart: Cart, _ at: Date =
  //         ^ refers: type Cart
}

export type Shape = { area: number; grow(by: number): Shape };
//          ^ defines: typealias Shape
//                    ^ defines: property Shape.area
//                                  ^ defines: method Shape.grow
type Carts = Array<Cart>;
//   ^ typed: Array<Cart>
export enum Color { Red = 1, "Green" }
//          ^ defines: enum Color
//                  ^ defines: case Color.Red
//                           ^ defines: case Color.Green

/** @deprecated use Shop */
export abstract class Old<T> implements Shop {
  //                  ^ defines: class Old
  //                  ^ flagged: deprecated, public
  //                  ^ inherits: Shop
  private items: Cart[] = [];
  //      ^ typed: Array<Cart>
  //      ^ flagged: private
  constructor(private readonly store: Store, other: number) {}
  //                           ^ defines: property Old.store
  //                           ^ typed: Store
  abstract size(): number;
  //       ^ defines: method Old.size
  @logged() run(this: Old<T>, each: (cart: Cart) => Cart, map: Map<string, Cart>) {
    // <- refers: nothing
    //      ^ defines: method Old.run
    this.items[0].open();
    //            ^ refers: call open [self.items[]] ()
    this.store!.keep();
    //          ^ refers: call keep [self.store] ()
    each(this.items[0]).open();
    //                  ^ refers: call open [<Cart>] ()
    map.get("x");
    //  ^ refers: call get [<Map<string, Cart>>] (_)
    const x = load() as Cart;
    //                  ^ refers: type Cart
    x.open();
    //^ refers: call open [<Cart>] ()
    const y: Shop = make<Cart>();
    //       ^ refers: type Shop
    //                   ^ refers: type Cart
    y.open();
    //^ refers: call open [<Shop>] ()
  }
}

export function over(a: string): Cart;
export function over(a: number): Cart;
export function over(a: unknown) { return null as never; }
//              ^ defines: function over

namespace Inner { export function z() {} }
//                                ^ defines: function z

declare module "other" { export const q: Cart; }
//                                    ^ defines: variable q
//                                    ^ typed: Cart
export const maker = <T,>(x: T): Cart => new Cart(x);
//           ^ defines: function maker
//           ^ typed: Cart
interface Reader<out Value = unknown, in Key extends string> { read(key: Key): Value }
//        ^ defines: protocol Reader
//                                                             ^ defines: method Reader.read
interface Wide<
  /** said of it */
  out Shape extends string,
> { keep(): Shape }
// <- refers: nothing
//  ^ defines: method Wide.keep
