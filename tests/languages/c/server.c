// imports: server.h, stdlib.h
#include "server.h"
#include <stdlib.h>

#define LIMIT 10
//      ^ defines: variable LIMIT
#define MAX(a, b) ((a) > (b) ? (a) : (b))
//      ^ defines: macro MAX

/* Looks a key up.
 * Deprecated: use find. */
static int lookup(struct client *c, const char *key);
//         ^ defines: prototype lookup
//         ^ flagged: deprecated, private
//         ^ signed: static int lookup(struct client *c, const char *key)

typedef struct client {
//             ^ defines: struct client
    int fd;
    //  ^ defines: property client.fd
    struct list *next;
    //           ^ typed: list
    void (*handler)(struct client *c);
    //     ^ defines: property client.handler
} client;
typedef void command(client *c);
//           ^ defines: typealias command
//           ^ typed: Function<void>

enum level { LOW = 1, HIGH };
//   ^ defines: enum level
//           ^ defines: variable LOW

struct entry table[] = {{"get", getCommand, .arity = 2}};
//           ^ defines: variable table
//                              ^ refers: access getCommand
//                              ^ by: table
//                                           ^ refers: access arity [<entry>]
//                                           ^ by: table
extern int elsewhere;
//         ^ defines: nothing

// Looks it up.
static int lookup(struct client *c, const char *key) {
//         ^ defines: function lookup
//         ^ documented: Looks it up.
    client *next = c->next;
    //                ^ refers: access next [<client>]
    //                ^ by: lookup
    next->handler(c);
    //    ^ refers: call handler [<client>] (_)
    //    ^ by: lookup
    MAX(1, 2);
    // <- refers: call MAX (_ _)
    // <- by: lookup
    ((struct list *)next)->head = find(server.db[1].keys, key);
    //                     ^ refers: access head [<list>]
    //                     ^ by: lookup
    //                            ^ refers: call find (_ _)
    //                            ^ by: lookup
    //                                 ^ refers: access server
    //                                 ^ by: lookup
    //                                              ^ refers: access keys [server.db[]]
    //                                              ^ by: lookup
#ifdef FAST
    quick();
    // <- refers: call quick ()
    // <- by: lookup
#else
    slow();
    // <- refers: call slow ()
    // <- by: lookup
#endif
    for (int i = 0; i < LIMIT; i++) next = walk(next)->next;
    //                  ^ refers: access LIMIT
    //                  ^ by: lookup
    //                                                 ^ refers: access next [walk(_)]
    //                                                 ^ by: lookup
    return next ? next->fd : 0;
}

int main(void) { return lookup(0, "a"); }
//  ^ flagged: entry
