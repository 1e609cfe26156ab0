# problems: syntax not understood at line 4
import shop

def fine(:
    return shop.go()


class Cart:
    # ^ defines: class Cart
    def total(self):
        # <- defines: method Cart.total
        return self.items.sum(

    def after(self):
        return helper()

def last():
    # <- defines: function last
    return 1
