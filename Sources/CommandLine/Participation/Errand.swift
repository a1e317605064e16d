// Runs one command that takes part in a conversation: signals, the main thread's wait, and the words of its failure.

import CLinux
import Dispatch
import Glibc
import Synchronization

enum Errand {
    static func run(_ command: Command, environment: [String: String]) throws(Program.Complaint) {
        clinux_keep_one_heap()  // a photo passes through many threads, and none of it is to stay with them
        let interruption = Interruption(StopSignals())  // before any thread
        let place = CurrentConversation(environment: environment)
        let outcome = Mutex<Result<Void, Program.Complaint>>(.success(()))
        let done = DispatchSemaphore(value: 0)
        Task.detached {
            let result = await Result { () async throws(Program.Complaint) in try await perform(command, place, interruption) }
            outcome.withLock { $0 = result }
            done.signal()
        }
        done.wait()
        do throws(Program.Complaint) { try outcome.withLock(\.self).get() } catch {
            if let setting = command.setting, setting.isJSON {
                Report(setting).result("", "failed", [("exit", .int(Int(error.exit.rawValue))), ("reason", .string("\(error.exit)")), ("message", .string(error.text))])
            }
            throw error
        }
    }

    private static func perform(_ command: Command, _ place: CurrentConversation, _ interruption: Interruption) async throws(Program.Complaint) {
        func circle(_ setting: Setting) -> Circle { Circle(setting: setting, place: place, report: Report(setting), interruption: interruption) }
        switch command {
        case .help, .version, .serve, .completion: break
        case .invite(let setting, let relay, let inBackground): try await Invite.run(circle(setting), relay: relay, inBackground: inBackground)
        case .join(let setting, let inBackground): try await Join.run(circle(setting), inBackground: inBackground)
        case .add(let setting, let order): try await AddPhotos.run(circle(setting), order)
        case .list(let setting): try await ListPhotos.run(circle(setting))
        case .save(let setting, let directory, let wanted, let follows): try await SavePhotos.run(circle(setting), into: directory, wanted, follows: follows)
        case .remove(let setting, let wanted): try await RemovePhotos.run(circle(setting), wanted)
        case .send(let setting, let order): try await SendMessage.run(circle(setting), order)
        case .receive(let setting, let kind, let count): try await ReceiveMessages.run(circle(setting), kind, count: count)
        case .status(let setting, let showsLink): try await Status.run(circle(setting), showsLink: showsLink)
        case .leave(let setting): try await Leave.run(circle(setting))
        case .end(let setting, let activity): try await EndActivities.run(circle(setting), activity)
        case .check(let setting, let subject): try await Check.run(circle(setting), subject)
        }
    }
}

extension Command {
    var setting: Setting? {
        switch self {
        case .help, .version, .serve, .completion: nil
        case .invite(let setting, _, _), .join(let setting, _), .add(let setting, _), .list(let setting), .save(let setting, _, _, _), .remove(let setting, _), .send(let setting, _),
            .receive(let setting, _, _), .status(let setting, _), .leave(let setting), .end(let setting, _), .check(let setting, _):
            setting
        }
    }
}

extension Result {
    init(_ body: () async throws(Failure) -> Success) async {
        do throws(Failure) { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
