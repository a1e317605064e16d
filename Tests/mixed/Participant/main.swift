// A participant made of Apple's names alone, for the mixed conversation: each line of standard input is a wish, each line of standard output its answer.

import Foundation

let voice = Voice()
let wishes = AsyncStream<Data> { continuation in
    Thread.detachNewThread {
        while let line = readLine() { continuation.yield(Data(line.utf8)) }
        continuation.finish()
    }
}
for await line in wishes {
    let answer: Answer
    do { answer = try await voice.fulfil(try JSONDecoder().decode(Wish.self, from: line)) } catch { answer = Answer(error: "\(error)") }
    FileHandle.standardOutput.write(try JSONEncoder().encode(answer) + Data("\n".utf8))
}
