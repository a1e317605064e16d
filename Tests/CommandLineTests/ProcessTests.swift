// Tests that wait for processes, one after the other: each blocks a thread, of which a small machine has two for all tests.

import Testing

@Suite(.serialized, .timeLimit(.minutes(3))) struct ProcessTests {}
