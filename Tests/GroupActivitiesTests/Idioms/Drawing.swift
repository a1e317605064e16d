// The commonest shape of a SharePlay app: a loop over sessions, sinks in a set, a task for each type of message, a snapshot for newcomers.

import GroupActivities

struct DrawTogether: GroupActivity {
    static let activityIdentifier = "org.example.draw-together"

    var metadata: GroupActivityMetadata {
        var metadata = GroupActivityMetadata()
        metadata.title = "Draw together"
        metadata.type = .createTogether
        return metadata
    }
}

struct StrokeMessage: Codable, Equatable, Sendable {
    var points: [Int]
}

struct CanvasMessage: Codable, Sendable {
    var strokes: [StrokeMessage]
}

@MainActor final class DrawingModel: ObservableObject {
    @Published var strokes: [StrokeMessage] = []
    @Published var groupSession: GroupSession<DrawTogether>?
    var states: [String] = []
    var participantCounts: [Int] = []
    var messenger: GroupSessionMessenger?
    var subscriptions = Set<AnyCancellable>()
    var tasks = Set<Task<Void, Never>>()
    private var listening: Task<Void, Never>?

    init() {
        listening = Task { [weak self] in
            for await session in DrawTogether.sessions() { self?.configure(session) }
        }
    }

    func configure(_ session: GroupSession<DrawTogether>) {
        strokes = []
        groupSession = session
        let messenger = GroupSessionMessenger(session: session)
        self.messenger = messenger
        session.$state
            .sink { [weak self] state in
                self?.states.append(name(of: state))
                if case .invalidated = state {
                    self?.groupSession = nil
                    self?.reset()
                }
            }
            .store(in: &subscriptions)
        session.$activeParticipants
            .sink { [weak self] active in
                guard let self else { return }
                self.participantCounts.append(active.count)
                let newcomers = active.subtracting(session.activeParticipants)
                let snapshot = CanvasMessage(strokes: self.strokes)
                Task { try? await messenger.send(snapshot, to: .only(newcomers)) }
            }
            .store(in: &subscriptions)
        tasks.insert(
            Task { [weak self] in
                for await (message, _) in messenger.messages(of: StrokeMessage.self) { self?.strokes.append(message) }
            })
        tasks.insert(
            Task { [weak self] in
                for await (message, _) in messenger.messages(of: CanvasMessage.self) {
                    guard let self, message.strokes.count > self.strokes.count else { continue }
                    self.strokes = message.strokes
                }
            })
        session.join()
    }

    func draw(_ points: Int...) {
        let stroke = StrokeMessage(points: points)
        strokes.append(stroke)
        Task { [messenger] in try? await messenger?.send(stroke) }
    }

    func reset() {
        strokes = []
        messenger = nil
        for task in tasks { task.cancel() }
        tasks = []
        subscriptions = []
        if groupSession != nil {
            groupSession?.leave()
            groupSession = nil
            startSharing()
        }
    }

    func startSharing() {
        Task {
            switch await DrawTogether().prepareForActivation() {
            case .activationPreferred: _ = try? await DrawTogether().activate()
            case .activationDisabled, .cancelled: break
            @unknown default: break
            }
        }
    }
}

func name<Activity>(of state: GroupSession<Activity>.State) -> String {
    switch state {
    case .waiting: "waiting"
    case .joined: "joined"
    case .invalidated: "invalidated"
    }
}
