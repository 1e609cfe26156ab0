// imports: Store.h, Foundation/Foundation.h
#import "Store.h"
#import <Foundation/Foundation.h>

@interface Store ()
@property (nonatomic) NSMutableArray<NSString *> *items;
- (void)hidden;
@end

static NSString *clean(NSString *text);
//               ^ defines: prototype clean

// Keeps things.
@implementation Store {
//              ^ defines: class Store
//              ^ documented: Keeps things.
    int count;
}

@synthesize items = _items;

/* Adds one. */
- (void)add:(NSString *)item at:(NSUInteger)index {
//      ^ defines: method Store.add
//      ^ documented: Adds one.
//      ^ signed: - (void)add:(NSString *)item at:(NSUInteger)index
    NSString *text = clean(item);
    //               ^ refers: call clean (_)
    //               ^ by: Store.add
    if (text) { count = 1; }
    [self save];
    //    ^ refers: call save [self] ()
    //    ^ by: Store.add
    [_items addObject:@"- (void)no {"];
}

- (BOOL)save {
//      ^ defines: method Store.save
    @autoreleasepool {
        write_all(@selector(add:at:));
        // <- refers: call write_all (_)
        // <- by: Store.save
    }
    return [Journal note:@"saved"];
    //              ^ refers: call note [Journal] ()
    //              ^ by: Store.save
}

+ (instancetype)shared { return nil; }
//              ^ defines: method Store.shared
//              ^ flagged: static

@end

@implementation NSString (Store)
//              ^ defines: extension NSString
- (nullable NSString *)cleanedWith:(void (^)(NSError *error))handler
//                     ^ defines: method NSString.cleanedWith
{
    return clean(self);
    //     ^ refers: call clean (_)
    //     ^ by: NSString.cleanedWith
}
@end

static NSString *clean(NSString *text) { return text; }
//               ^ defines: function clean
