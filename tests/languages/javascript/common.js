// binds: default =  : createApp, app =  : createApp, other =  : helper, lib = ./lib :, default = ./more : default, * = ./more : *
'use strict';

exports = module.exports = createApp;
exports.app = createApp;
exports.other = helper;
exports.lib = require("./lib");
exports.made = function made(x) { return x; };
//      ^ defines: function made
//      ^ flagged: public
exports.limit = 10;
//      ^ defines: variable limit

function Shop(name) {
  //     ^ defines: class Shop
  this.name = name;
  //   ^ defines: property Shop.name
  //   ^ container: Shop
}

// Opens it.
Shop.prototype.open = function open() {
  //           ^ defines: method Shop.open
  //           ^ container: Shop
  //           ^ documented: Opens it.
  return this.name;
  //          ^ refers: access name [self]
  //          ^ by: Shop.open
};

Shop.make = function () {};
//   ^ defines: method Shop.make
//   ^ flagged: static

function createApp() {
  const app = new Shop("x");
  app.open();
  //  ^ refers: call open [Shop(_)] ()
}

createApp.use = function use() {};
//        ^ defines: method createApp.use

var helper = function () {}
//  ^ defines: function helper

module.exports = require("./more");
