// imports: vector, tree.h
#include <vector>
#include "tree.h"
namespace forest {
//        ^ defines: module forest
/*! \brief A tree of splits. */
template <typename T>
class Tree : public Base<T>, private Other {
//    ^ defines: class Tree
//    ^ spans: 6-43
//    ^ documented: \brief A tree of splits.
//                  ^ refers: inherit Base
//                  ^ by: Tree
 public:
  explicit Tree(int leaves) : Other(leaves), leaves_(leaves) { Init(); }
  //       ^ defines: initializer Tree.Tree
  //                          ^ refers: call Other (_)
  //                          ^ by: Tree.Tree
  //                                         ^ refers: access leaves_
  //                                         ^ by: Tree.Tree
  //                                                           ^ refers: call Init ()
  //                                                           ^ by: Tree.Tree
  ~Tree() {}
  //^ defines: nothing
  int Split(const Config& config) const override { return this->Leaf(config.depth) + Base::Cost(); }
  //  ^ defines: method Tree.Split
  //  ^ flagged: override
  //                                                            ^ refers: call Leaf [self] (_)
  //                                                            ^ by: Tree.Split
  //                                                                        ^ refers: access depth [<Config>]
  //                                                                        ^ by: Tree.Split
  //                                                                                       ^ refers: call Cost [Base] ()
  //                                                                                       ^ by: Tree.Split
  static Tree* Make();
  //           ^ defines: prototype Tree.Make
  //           ^ flagged: static
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
  //              ^ refers: call Tree (_)
  //              ^ by: Tree.Leaf
  made->Split(options);
  //    ^ refers: call Split [<Tree>] (_)
  //    ^ by: Tree.Leaf
  for (const auto& kid : kids_) kid->Split(options);
  //                                 ^ refers: call Split [kids_[]] (_)
  //                                 ^ by: Tree.Leaf
  Tree other(4);
  auto held = std::make_unique<Node>(1);
  //                           ^ refers: call Node (_)
  //                           ^ by: Tree.Leaf
  held->Grow();
  //    ^ refers: call Grow [<Node>] ()
  //    ^ by: Tree.Leaf
  auto task = [&](Worker* worker) { worker->Run(); };
  //                                        ^ refers: call Run [<Worker>] ()
  //                                        ^ by: Tree.Leaf
  return log::Info("x");
  //          ^ refers: call Info [log] (_)
  //          ^ by: Tree.Leaf
}
}  // namespace forest
