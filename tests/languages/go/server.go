// imports: fmt, net/http, example.com/shop/store
package shop

import (
	"fmt"
	h "net/http"
	"example.com/shop/store"
)

// Handler answers a request.
type Handler func(*Context) error
//   ^ defines: struct Handler
//   ^ documented: Handler answers a request.
//                 ^ refers: type Context
//                 ^ by: Handler

// Server holds routes.
//
// Deprecated: use Router.
type Server struct {
//   ^ defines: struct Server
//   ^ flagged: deprecated, public
//   ^ spans: 17-32
	*store.Base
	//     ^ refers: inherit Base [store]
	//     ^ by: Server
	routes map[string][]Handler
	// <- defines: property Server.routes
	// <- typed: Dictionary<string, Array<Handler>>
	name, host string
	//    ^ defines: property Server.host
}

// Router finds handlers.
type Router interface {
//   ^ defines: protocol Router
	Find(path string) (Handler, error)
	// <- defines: method Router.Find
	// <- typed: Handler
}

type List[T any] []T

const limit = 10
//    ^ defines: variable limit
//    ^ signed: const limit = 10

var fallback = NewServer("none")
//  ^ defines: variable fallback
//             ^ refers: call NewServer (_)
//             ^ by: fallback

// NewServer makes one.
func NewServer(name string) *Server {
//   ^ defines: function NewServer
//   ^ typed: Server
	s := &Server{name: name}
	//    ^ refers: call Server ()
	//    ^ by: NewServer
	//           ^ refers: access name [<Server>]
	//           ^ by: NewServer
	s.add("/", nil)
	//^ refers: call add [<Server>] (_ _)
	//^ by: NewServer
	return s
}

func (s *Server) add(path string, handler Handler) {
//               ^ defines: method Server.add
	s.routes[path] = append(s.routes[path], handler)
	//^ refers: access routes [self]
	//^ by: Server.add
	for _, each := range s.routes[path] {
		each.check()
		//   ^ refers: call check [self.routes[][]] ()
		//   ^ by: Server.add
	}
	switch t := handler.(type) {
	case *Custom:
		t.run()
		//^ refers: call run [<Custom>] ()
		//^ by: Server.add
	default:
		t.stop()
		//^ refers: call stop [<Handler>] ()
		//^ by: Server.add
	}
	build := func(n int) *Server { return nil }
	build(1).close()
	//       ^ refers: call close [<Server>] ()
	//       ^ by: Server.add
	value, ok := store.Load(path)
	//                 ^ refers: call Load [store] (_)
	//                 ^ by: Server.add
	value.Touch()
	//    ^ refers: call Touch [store.Load(_)] ()
	//    ^ by: Server.add
	fmt.Println(ok, limit, h.StatusOK)
	//  ^ refers: call Println [fmt] (_ _ _)
	//  ^ by: Server.add
	//              ^ refers: access limit
	//              ^ by: Server.add
	//                       ^ refers: access StatusOK [h]
	//                       ^ by: Server.add
	if err := s.save(); err != nil {
		err.report()
		//  ^ refers: call report [self.save()] ()
		//  ^ by: Server.add
	}
	wait := new(store.Lock)
	wait.Lock()
	//   ^ refers: call Lock [<store.Lock>] ()
	//   ^ by: Server.add
}
