// `hearth leave`: forgets the current conversation and ends what stays in it.

enum Leave {
    static func run(_ circle: Circle) async throws(Program.Complaint) {
        let process = await circle.place.dismissKeeper()
        let wasThere = circle.place.clear()
        guard wasThere || process != nil else { throw Program.Complaint(exit: .configuration, text: "There is no current conversation to leave.") }
        circle.report.result("Left." + (process.map { " Process \($0) has ended." } ?? ""), "left", [("process", process.map { .int(Int($0)) } ?? nil)])
    }
}
