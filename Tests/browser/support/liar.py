"""A relay that hides entries from one page and closes the gap in the places, as a hostile one would."""

import struct

ENTRY = 0x2A
PLACED = {0x24, 0x25, 0x26, 0x27, 0x28, 0x2A, 0x2B}
WITH_PLACE = PLACED | {0x22, 0x23, 0x2C}
OWN = bytes(16)


class Liar:
    def __init__(self):
        self.is_hiding = True
        self.hidden_count = 0

    def lie_to(self, page):
        """Before the page opens its connection."""
        page.route_web_socket(lambda url: "/v1/conversations/" in url, self._stand_between)

    def _stand_between(self, route):
        server = route.connect_to_server()
        server.on_message(lambda message: self._pass_on(route, message))

    def _pass_on(self, route, message):
        told = b"".join(self._told(kind, body) for kind, body in frames_of(message))
        if told:
            route.send(told)

    def _told(self, kind, body):
        if kind in WITH_PLACE and body[:16] != OWN:
            (place,) = struct.unpack(">Q", body[16:24])
            if self.is_hiding and kind == ENTRY and place > 0:
                self.hidden_count += 1
                return b""
            if place > 0:
                body = body[:16] + struct.pack(">Q", place - self.hidden_count) + body[24:]
        return struct.pack(">BI", kind, len(body)) + body


def frames_of(message):
    while message:
        kind, size = struct.unpack(">BI", message[:5])
        yield kind, message[5:5 + size]
        message = message[5 + size:]
