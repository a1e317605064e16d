// The gate's rules, on plain values.

import Testing

@testable import RelayServer

@Suite struct RequestGateTests {
    private func head(_ change: (inout RequestHead) -> Void = { _ in }) -> RequestHead {
        var head = RequestHead()
        head.path = "/healthz"
        head.host = .one("relay.test:8080")
        change(&head)
        return head
    }

    private func status(_ change: (inout RequestHead) -> Void) -> Int? {
        do throws(RequestGate.Refusal) {
            _ = try RequestGate.admit(head(change))
            return nil
        } catch { return error.status }
    }

    @Test func `a plain GET passes`() throws {
        #expect(try RequestGate.admit(head()) == RequestGate.Admitted(host: "relay.test:8080", bodyLengthBytes: 0, expectsContinue: false))
    }

    @Test func `a PUT tells its length`() throws {
        let admitted = try RequestGate.admit(
            head {
                $0.method = .put
                $0.contentLength = .one("1048576")
            })
        #expect(admitted.bodyLengthBytes == 1_048_576)
    }

    @Test(arguments: ["-3", "+3", "3, 3", "0x3", "", "3\u{0}", " 3", "3 ", "1e3", "9999999999999999", "３"])
    func `a length that is not plain digits is refused`(_ text: String) {
        #expect(
            status {
                $0.method = .put
                $0.contentLength = .one(text)
            } == 400)
    }

    @Test func `a length beyond a part is refused, with limit and value`() {
        do throws(RequestGate.Refusal) {
            _ = try RequestGate.admit(
                head {
                    $0.method = .put
                    $0.contentLength = .one("1048577")
                })
            Issue.record("admitted")
        } catch {
            #expect(error.status == 413)
            #expect(error.limit == 1_048_576)
            #expect(error.value == 1_048_577)
        }
    }

    @Test func `whatever could make another reader see another request is refused`() {
        #expect(status { $0.hasTransferEncoding = true } == 411)
        #expect(
            status {
                $0.hasTransferEncoding = true
                $0.method = .put
                $0.contentLength = .one("3")
            } == 411)
        #expect(status { $0.contentLength = .several } == 400)
        #expect(status { $0.hasDisguisedFraming = true } == 400)
        #expect(status { $0.method = .put } == 411)
        #expect(status { $0.contentLength = .one("3") } == 400)
        #expect(status { $0.contentLength = .one("0") } == nil)
    }

    @Test func `one Host, one version, known methods`() {
        #expect(status { $0.host = .absent } == 400)
        #expect(status { $0.host = .several } == 400)
        #expect(status { $0.host = .one("a b") } == 400)
        #expect(status { $0.host = .one("a;frame-ancestors *") } == 400)
        #expect(status { $0.host = .one("a\r\nX: 1") } == 400)
        #expect(status { $0.version = "HTTP/1.0" } == 505)
        #expect(status { $0.version = "http/1.1" } == 505)
        #expect(status { $0.version = "" } == 505)
        #expect(status { $0.isHTTP1 = false } == 505)
        #expect(status { $0.method = .other } == 405)
        #expect(status { $0.path = "" } == 400)
        #expect(status { $0.path = "*" } == 400)
    }

    @Test func `only 100-continue can be expected`() throws {
        #expect(status { $0.expect = .one("foo") } == 417)
        #expect(status { $0.expect = .several } == 417)
        #expect(try RequestGate.admit(head { $0.expect = .one("100-Continue") }).expectsContinue)
    }
}
