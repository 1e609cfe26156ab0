// imports: ./cart.js, node:fs, ./views, ./all, ./ns, ./lazy, ./helpers
// binds: Cart = ./cart.js : default, add = ./cart.js : sum, fs = node:fs :, list = ./views : show, views = ./views : View, * = ./all : *, ns = ./ns :, lazy = ./lazy :, load = ./lazy : load, save = ./lazy : store, only = ./helpers : only, renamed =  : limit, default =  : shop
import Cart, { sum as add } from "./cart.js";
import * as fs from "node:fs";
export { show as list, View as views } from "./views";
export * from "./all";
export * as ns from "./ns";
const lazy = require("./lazy");
const { load, store: save } = require("./lazy");
const only = require("./helpers").only;
const limit = 10;
// <- refers: nothing
//    ^ defines: variable limit
//    ^ signed: const limit = 10
export { limit as renamed };

/**
 * Opens a shop.
 *
 * @param name how it is called
 */
export default async function shop(name, { size, more = 1 } = {}, ...rest) {
  //                          ^ defines: function shop
  //                          ^ flagged: async, public
  //                          ^ documented: Opens a shop. /  / @param name how it is called
  //                          ^ signed: export default async function shop(name, { size, more = 1 } = {}, ...rest)
  //                          ^ spans: 17-58
  //                          ^ parameters: _ name:, _:  =, _ rest: ...
  const cart = new Cart(name);
  //               ^ refers: call Cart (_)
  cart.fill(size).total;
  // <- refers: nothing
  //   ^ refers: call fill [Cart(_)] (_)
  //              ^ refers: access total [Cart(_).fill(_)]
  add(...rest);
  // <- refers: call add (*)
  const helper = () => cart.open();
  //    ^ defines: function shop.helper
  //                        ^ refers: call open [Cart(_)] ()
  //                        ^ by: shop.helper
  helper();
  const { first } = cart;
  first.go();
  //    ^ refers: call go [Cart(_).first] ()
  for (const each of cart.items) each.go();
  //                                  ^ refers: call go [Cart(_).items[]] ()
  rest.map(each => each.x);
  //   ^ refers: call map [<Array>] (_)
  Base.call(this, name);
  // <- refers: call Base (*)
  name?.trim();
  //    ^ refers: call trim [?] ()
  await fs.promises.readFile(name);
  //                ^ refers: call readFile [fs.promises] (_)
  `${cart.title}`;
  //      ^ refers: access title [Cart(_)]
  return cart;
}

export class Store extends Base {
  //         ^ defines: class Store
  //         ^ inherits: Base
  //                       ^ refers: inherit Base
  #secret = new Secret();
  // <- defines: property Store.#secret
  // <- flagged: private
  // <- initialised: Secret()
  //            ^ refers: call Secret ()
  handler = () => this.load();
  // <- defines: method Store.handler
  //                   ^ refers: call load [self] ()
  constructor(path) {
    super(path);
    // <- refers: call constructor [super] (_)
    this.path = path;
    //   ^ defines: property Store.path
    this.cart = new Cart();
    //   ^ initialised: Cart()
  }
  static make() { return new Store(); }
  //     ^ defines: method Store.make
  //     ^ flagged: static
  //     ^ initialised: Store()
  get size() { return this.cart.size; }
  //  ^ defines: property Store.size
  //  ^ flagged: computed
  async load() {
    super.load();
    //    ^ refers: call load [super] ()
    setTimeout(function () { this.late(); }, 10);
    //                            ^ refers: call late [?] ()
  }
}

export const api = {
  //         ^ defines: struct api
  get(path) { return this.send(path); },
  // <- defines: method api.get
  // <- container: api
  //                      ^ refers: call send [self] (_)
  post: async (path) => api.get(path),
  // <- defines: method api.post
  limit,
  // <- defines: property api.limit
  // <- initialised: limit
  version: 3,
  // <- defines: nothing
};

(function () {
  function inside() {}
  //       ^ defines: function inside
})();
