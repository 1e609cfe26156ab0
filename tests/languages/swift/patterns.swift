struct Machine {
    enum State { case idle, running(Job, since: Date), failed(Failure) }
    struct Wrapper { var state: State }

    var state: State
    var wrapper: Wrapper

    func step(result: Result<Answer, Problem>, maybe: Answer?, other: Any) {
        switch state {
        case .idle: break
        //    ^ refers: access idle [~] => State
        case .running(let job, since: let date): job.go(); date.print()
        //    ^ refers: access running [~] => State
        //                                           ^ refers: call go [<Job>] ()
        //                                                      ^ refers: call print [<Date>] ()
        case .failed(let failure): failure.show()
        //                                 ^ refers: call show [<Failure>] ()
        }
        switch wrapper.state { case .idle, .failed: break; default: self.idle() }
        //                           ^ refers: access idle [~] => State
        //                                  ^ refers: access failed [~] => State
        //                                                               ^ refers: call idle [self] ()
        switch result {
        case .success(let answer): answer.say()
        //                                ^ refers: call say [<Answer>] ()
        case .failure(let problem): problem.show()
        //                                  ^ refers: call show [<Problem>] ()
        }
        switch (state, maybe) {
        case (.idle, let answer?): answer.say()
        //     ^ refers: access idle [~] => State
        //                                ^ refers: call say [<Answer>] ()
        case let (.running(job, _), .some(answer)): job.go(); answer.say()
        //         ^ refers: access running [~] => State
        //                                              ^ refers: call go [<Job>] ()
        //                                                           ^ refers: call say [<Answer>] ()
        default: break
        }
        switch other {
        case let job as Job: job.go()
        //              ^ refers: type Job
        //                       ^ refers: call go [<Job>] ()
        case is Failure: break
        //      ^ refers: type Failure
        case Limits.low...Limits.high: break
        //          ^ refers: access low [Limits!]
        //                       ^ refers: access high [Limits!]
        case State.failed(let failure): failure.show()
        //         ^ refers: access failed [State!]
        //                                      ^ refers: call show [<Failure>] ()
        case "text", 3, nil: break
        default: break
        }
        if case .running(let job, _) = state, job.ready { job.go() }
        //                                        ^ refers: access ready [<Job>]
        //                                                    ^ refers: call go [<Job>] ()
        guard case let .failed(failure) = state else { return }
        failure.show()
        //      ^ refers: call show [<Failure>] ()
        for case let .failed(each) in [state] { each.show() }
        //           ^ refers: nothing
        //            ^ refers: access failed [~] => State
        if state == .idle || .idle != state {}
        //           ^ refers: access idle [~] => State
        //                    ^ refers: access idle [~] => State
        do { try run() } catch Failure.broken(let part) { part.fix() } catch { throw error }
        //                             ^ refers: access broken [Failure!]
        //                                                     ^ refers: call fix [Failure!.broken.->0] ()
        let (first, second) = (maybe, result)
        first.say()
        //    ^ refers: call say [<Answer>] ()
    }

    func parse(_ data: Data) throws {
        let item = try JSONDecoder().decode(Item.self, from: data)
        //                                  ^ refers: type Item
        item.show()
        //   ^ refers: call show [<Item>] ()
        if !item.isReady(now: true) { return }
        //       ^ refers: call isReady [<Item>] (now:)
        let width = item.scale * max(item.width, 0)
        //                       ^ refers: call max (_:_:)
        //                                ^ refers: access width [<Item>]
        let made = try await item.load().next()
        //                               ^ refers: call next [<Item>.load()] ()
    }
}
