// What a session makes of a log with holes, and of people who are said not to be there: a value, no relay, no sealing.

import Sealing
import Testing
import Wire

@testable import Conversations

struct LiedToTests {
    private let ana = ParticipantID(Bytes16(high: 1, low: 1))
    private let ben = ParticipantID(Bytes16(high: 2, low: 2))
    private let id = SessionID(Bytes16(high: 3, low: 3))
    private let welcome = Welcome(
        resumed: false, created: false, incarnation: 5, heartbeatSeconds: 10, silenceSeconds: 30, resumeWindowSeconds: 60, graceSeconds: 60, conversationQuotaBytes: 1)

    private func take(_ frame: Frame, _ opened: Opened = .nothing, in state: inout SessionState) -> [ConversationEffect] {
        state.take(frame, opened, .zero, welcome: welcome, inConversation: { [ana, ben] })
    }

    /// Ana's, at place 10.
    private func inside(_ present: ParticipantID...) -> SessionState {
        var state = SessionState(id, local: ana)
        _ = state.enter()
        _ = take(.position(session: id, sequence: 10, participants: present.map { Attendance(participant: $0, presence: .connected) }), in: &state)
        _ = take(.complete(session: id, sequence: 10), in: &state)
        return state
    }

    /// Ben's.
    private func ordered(_ sequence: UInt64, _ counter: UInt64, _ stretch: LogStretch = .nothing, in state: inout SessionState) -> [ConversationEffect] {
        take(
            .ordered(session: id, sequence: sequence, sender: ben, counter: counter, recipients: [], sealed: [1]),
            .frame(OpenedFrame(counter: counter, stretch: stretch, content: .data([1])), from: ben), in: &state)
    }

    private func isOver(_ effects: [ConversationEffect]) -> Bool { effects.contains { if case .session(_, .over(.gap)) = $0 { true } else { false } } }

    @Test func `who loses a session to a hole in the places is out of it once the relay has heard that, and can enter it again`() {
        var state = inside(ana, ben)
        #expect(!isOver(ordered(11, 0, in: &state)))
        #expect(isOver(ordered(13, 2, in: &state)))
        #expect(state.phase == .exiting)
        _ = take(.exited(session: id, sequence: 15, participant: ana, reason: .exited), in: &state)
        #expect(state.phase == .outside)
    }

    @Test func `who hears somebody is not alone, whoever is said to be there, and answers`() throws {
        var state = inside(ana)
        let effects = ordered(11, 0, try LogStretch(of: [], in: id, incarnation: 5, from: 11, to: 11), in: &state)
        #expect(effects.contains { if case .session(_, .diverged) = $0 { true } else { false } })
        let due = try #require(state.positionAt)
        #expect(state.tick(due).contains { if case .sealPosition = $0 { true } else { false } })
    }

    @Test func `who is said to be the first to come does not make forgotten what somebody has said before`() throws {
        var state = inside(ana)
        _ = ordered(11, 0, in: &state)
        _ = take(.entered(session: id, sequence: 12, participant: ben), in: &state)
        #expect(try state.chain.stretch(in: id).from == 10)
    }
}
