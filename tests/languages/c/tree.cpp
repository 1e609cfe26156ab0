//! imports: vector tree.h
//! problems:
#include <vector>
#include "tree.h"
namespace forest {
//        ^ defines: module forest
/*! \brief A tree of splits. */
template <typename T>
class Tree : public Base<T>, private Other {
//    ^ defines: class Tree
//    ^ spans: 7-37
//    ^ documented: \brief A tree of splits.
//                  ^ refers: inherit Base by Tree
 public:
  explicit Tree(int leaves) : Other(leaves), leaves_(leaves) { Init(); }
  //       ^ defines: initializer Tree.Tree
  //                          ^ refers: call Other (_) by Tree.Tree
  //                                         ^ refers: access leaves_ by Tree.Tree
  //                                                           ^ refers: call Init () by Tree.Tree
  ~Tree() {}
  //^ defines: nothing
  int Split(const Config& config) const override { return this->Leaf(config.depth) + Base::Cost(); }
  //  ^ defines: method Tree.Split
  //  ^ flagged: OVERRIDE
  //                                                            ^ refers: call Leaf on self (_) by Tree.Split
  //                                                                        ^ refers: access depth on <Config> by Tree.Split
  //                                                                                       ^ refers: call Cost on Base () by Tree.Split
  static Tree* Make();
  //           ^ defines: prototype Tree.Make
  //           ^ flagged: STATIC
  int Leaf(int at);
 private:
  int leaves_ = 0;
  //  ^ defines: property Tree.leaves_
  std::vector<std::unique_ptr<Tree>> kids_;
  //                                 ^ typed: Array<Tree>
};

int Tree::Leaf(int at) {
  //      ^ defines: method Tree.Leaf
  auto made = new Tree(3);
  //              ^ refers: call Tree (_) by Tree.Leaf
  made->Split(options);
  //    ^ refers: call Split on <Tree> (_) by Tree.Leaf
  for (const auto& kid : kids_) kid->Split(options);
  //                                 ^ refers: call Split on kids_[] (_) by Tree.Leaf
  Tree other(4);
  auto held = std::make_unique<Node>(1);
  //                           ^ refers: call Node (_) by Tree.Leaf
  held->Grow();
  //    ^ refers: call Grow on <Node> () by Tree.Leaf
  auto task = [&](Worker* worker) { worker->Run(); };
  //                                        ^ refers: call Run on <Worker> () by Tree.Leaf
  return log::Info("x");
  //          ^ refers: call Info on log (_) by Tree.Leaf
}
}  // namespace forest
