import shop

def use(client: Client, box: shop.Box, anything, kind: type[Item], many: list[Item], *rest, **options):
    prepare()
    # <- refers: call prepare ()
    # <- by: use
    client.send(1, to=anything, *rest, **options)
    # <- refers: nothing
    #      ^ refers: call send [<Client>] (_ to * *)
    box.session.open().close()
    #   ^ refers: access session [<shop.Box>]
    #           ^ refers: call open [<shop.Box>.session] ()
    #                  ^ refers: call close [<shop.Box>.session.open()] ()
    anything.go()
    #        ^ refers: call go [?] ()
    anything()
    # <- refers: nothing
    kind(1).rename()
    # <- refers: call __init__ [Item!] (_)
    #       ^ refers: call rename [<Item>] ()
    for each in many:
        each.rename()
        #    ^ refers: call rename [<list<Item>>[]] ()
    many[0].rename()
    #       ^ refers: call rename [<list<Item>>[]] ()
    made = shop.Cart(1)
    # <- refers: nothing
    #      ^ refers: access shop
    #           ^ refers: call Cart [shop] (_)
    made.total.round()
    #    ^ refers: access total [shop.Cart(_)]
    with open_cart() as cart, lock:
        cart.add()
        #    ^ refers: call add [open_cart()] ()
    try:
        risky()
    except shop.Failure as failure:
        #       ^ refers: access Failure [shop]
        failure.show()
        #       ^ refers: call show [<shop.Failure>] ()
    if isinstance(anything, Cart):
        anything.add()
        #        ^ refers: call add [<Cart>] ()
    anything.add()
    #        ^ refers: call add [?] ()
    names = [each.name for each in many if each.ok()]
    #             ^ refers: access name [<list<Item>>[]]
    #                                           ^ refers: call ok [<list<Item>>[]] ()
    names.append(made)
    #     ^ refers: call append [<list>] (_)
    key = lambda it: it.name + helper(it)
    #                          ^ refers: call helper (_)
    Alias = Cart
    Alias().add()
    # <- refers: call Cart ()
    #       ^ refers: call add [Cart()] ()
    f"{made.title} and {plain}"
    #       ^ refers: access title [shop.Cart(_)]
    #                   ^ refers: access plain
    either = made or client
    either.total
    #      ^ refers: access total [shop.Cart(_)]
    cast("Box", anything).open()
    # <- refers: call cast (_ _)
    #                     ^ refers: call open [<Box>] ()
    local: Store = anything
    #      ^ refers: type Store
    local.keep()
    #     ^ refers: call keep [<Store>] ()
    if (n := make_it()):
        n.go()
        # ^ refers: call go [make_it()] ()
    match made:
        case shop.Point(x=0):
            #     ^ refers: type Point [shop]
            pass
        case other:
            other.go()
            #     ^ refers: call go [?] ()

    def nested(item: Item):
        made.go()
        #    ^ refers: call go [shop.Cart(_)] ()
        #    ^ by: use.nested
        late.go()
        #    ^ refers: call go [Late()] ()
        return item

    late = Late()
    nested(made).rename()
    # <- refers: call nested (_)
    #            ^ refers: call rename [nested(_)] ()


def returns():
    # <- defines: function returns
    # <- initialised: Cart()
    if fails:
        return None
    return Cart()


def differs(a):
    # <- initialised:
    if a:
        return Cart()
    return Box()


def generates():
    # <- initialised:
    yield 1
    return Cart()


class Child(Parent):
    def go(self, count):
        super().go(count)
        # <- refers: nothing
        #       ^ refers: call go [super] (_)
        super().__init__()
        #       ^ refers: call __init__ [super] ()
        self.helper().more
        #    ^ refers: call helper [self] ()
        #             ^ refers: access more [self.helper()]
        type(self).load()
        #          ^ refers: call load [Child!] ()
        self.__class__.load()
        #              ^ refers: call load [Child!] ()
        (await self.fetch()).body
        #                    ^ refers: access body [self.fetch()]
        return self

    @staticmethod
    def plain(value: "Cart"):
        value.add()
        #     ^ refers: call add [<Cart>] ()


def pairs(item: Item):
    one, other = helper, Box(item)
    one()
    # <- refers: call helper ()
    other.open()
    #     ^ refers: call open [Box(_)] ()
    raise Failure
    #     ^ refers: call Failure ()


def writes():
    global counter
    counter = 1
    del counter


@app.route("/", methods=[GET])
# <- refers: nothing
#    ^ refers: call route [app] (_ methods)
#    ^ by: index
#                        ^ refers: access GET
def index():
    import late.binding as lb
    return lb.answer()
    #         ^ refers: call answer [lb] ()
