// Published properties and the objects that have them.

import Combine
import Dispatch
import Testing

private final class Model: ObservableObject {
    @Published var count = 0
    @Published var names: Set<String> = []
    @Published private(set) var title: String

    init(title: String = "none") { self.title = title }
    func rename(_ title: String) { self.title = title }
    func follow(_ source: some Publisher<Int, Never>) { source.assign(to: &$count) }
}

private final class Derived: ObservableObject {
    let objectWillChange = PassthroughSubject<Void, Never>()
    @Published var count = 0
}

@MainActor private final class MainModel: ObservableObject {
    @Published var values: [Int] = []
    func add(_ value: Int) { values.append(value) }
}

@Suite struct PublishedTests {
    @Test func `a subscriber gets the present value first and then each new one`() {
        let model = Model()
        model.count = 1
        let recorder = model.$count.record()
        model.count = 2
        model.count = 2
        #expect(recorder.values == [1, 2, 2])
        #expect(recorder.completion == nil)
    }

    @Test func `inside a sink the property still holds the old value, so newcomers can be told by subtraction`() {
        let model = Model()
        model.names = ["a"]
        var newcomers: [Set<String>] = []
        let kept = model.$names.sink { newcomers.append($0.subtracting(model.names)) }
        model.names = ["a", "b"]
        model.names = ["a", "b", "c"]
        #expect(newcomers == [[], ["b"], ["c"]])
        kept.cancel()
    }

    @Test func `setting the property inside its own sink delivers at once and ends with the outer value`() {
        let model = Model()
        var seen: [Int] = []
        let kept = model.$count.sink {
            seen.append($0)
            if $0 == 1 { model.count = 9 }
        }
        model.count = 1
        #expect(seen == [0, 1, 9])
        #expect(model.count == 1)
        kept.cancel()
    }

    @Test func `a subscriber that asks late during a change gets the new value, not the stored one`() {
        let model = Model()
        let late = model.$count.record(.max(1))
        #expect(late.values == [0])
        let kept = model.$count.dropFirst().sink { _ in late.subscription?.request(.max(1)) }
        model.count = 5
        #expect(late.values == [0, 5])
        kept.cancel()
    }

    @Test func `objectWillChange fires before each change of each published property`() {
        let model = Model()
        var seen: [Int] = []
        let kept = model.objectWillChange.sink { seen.append(model.count) }
        model.count = 1
        model.count = 2
        model.rename("x")
        #expect(seen == [0, 1, 2])
        kept.cancel()
        model.count = 3
        #expect(seen == [0, 1, 2])
    }

    @Test func `an object with a publisher of its own is not made to fire by its properties`() {
        let model = Derived()
        var count = 0
        let kept = model.objectWillChange.sink { count += 1 }
        model.count = 1
        #expect(count == 0)
        model.objectWillChange.send()
        #expect(count == 1)
        kept.cancel()
    }

    @Test func `watching an object does not keep it alive, and a new one at its place is another object`() {
        for _ in 0..<2_000 {
            weak var released: Model?
            var fired = 0
            do {
                let model = Model()
                released = model
                let kept = model.objectWillChange.sink { fired += 1 }
                model.count = 1
                kept.cancel()
            }
            #expect(released == nil)
            #expect(fired == 1)
        }
    }

    @Test func `assign to a published property lives as long as the property and fires objectWillChange`() {
        let source = PassthroughSubject<Int, Never>()
        weak var released: Model?
        do {
            let model = Model()
            released = model
            var fired = 0
            let kept = model.objectWillChange.sink { fired += 1 }
            model.follow(source)
            source.send(4)
            #expect(model.count == 4)
            #expect(fired == 1)
            kept.cancel()
        }
        #expect(released == nil)
        source.send(5)
    }

    @Test @MainActor func `a main actor's model works like any other`() {
        let model = MainModel()
        var sizes: [Int] = []
        let kept = model.$values.map(\.count).removeDuplicates().sink { sizes.append($0) }
        model.add(1)
        model.add(2)
        #expect(sizes == [0, 1, 2])
        kept.cancel()
    }

    @Test func `a private setter and an initial value given in init work`() {
        let model = Model(title: "first")
        let recorder = model.$title.record()
        model.rename("second")
        #expect(recorder.values == ["first", "second"])
    }
}
