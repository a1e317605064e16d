// Where a relay is, and which proxy stands before it.

import Testing

@testable import Transports

struct RelayAddressTests {
    @Test func `an origin gives host, port and the header that names it`() throws {
        let plain = try #require(RelayAddress(origin: "http://relay.example:8080"))
        #expect(plain.host == "relay.example" && plain.port == 8080 && plain.hostHeader == "relay.example:8080" && !plain.isSecure)
        let secure = try #require(RelayAddress(origin: "https://relay.example"))
        #expect(secure.port == 443 && secure.hostHeader == "relay.example" && secure.origin == "https://relay.example")
        let v6 = try #require(RelayAddress(origin: "http://[::1]:80"))
        #expect(v6.host == "::1" && v6.hostHeader == "[::1]" && v6.origin == "http://[::1]")
        for text in ["", "relay.example", "ftp://relay.example", "http://relay.example:0", "http://relay.example:70000", "http://a/b", "http://a:b"] { #expect(RelayAddress(origin: text) == nil) }
    }

    @Test func `the proxy is the environment's, but never for this machine or for whom it exempts`() throws {
        let environment = ["https_proxy": "http://user:pw@proxy.example:3128/", "http_proxy": "proxy.example", "no_proxy": "intern.example, .home"]
        func proxy(_ origin: String) -> String? { RelayAddress(origin: origin)?.proxy { environment[$0] } }
        #expect(proxy("https://relay.example") == "user:pw@proxy.example:3128")
        #expect(proxy("http://relay.example") == "proxy.example:80")
        for origin in ["http://localhost:1", "http://127.0.0.1", "http://[::1]", "https://intern.example", "https://a.intern.example", "https://nas.home"] {
            #expect(proxy(origin) == nil, "\(origin)")
        }
        #expect(proxy("https://notintern.example") != nil)
    }
}
