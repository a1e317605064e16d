"""One conversation in three languages: Swift programs written with Apple's names, node and Chromium with the JavaScript library, one relay that is killed in the middle."""

import zlib

import pytest

from support.mixed import Gathering, NodeProgram, Page, SwiftProgram

MESSAGES = 200
ATTACHMENT_SIZES = [1, 17, 1_000, 65_519, 65_520, 200_000, 500_000, 1_048_576, 1_048_577, 1_500_000] * 2
LIMIT_SECONDS = 40
# The three parts of what each says; who comes later says the first two at once.
FIRST, MIDDLE, LAST = 60, 140, MESSAGES


@pytest.fixture
def gathering():
    group = Gathering()
    yield group
    group.close()


def content(number, size):
    data = bytes((index * 31 + (index >> 8) + number) & 0xFF for index in range(size))
    return f"{size} {zlib.adler32(data)}"


def by_sender(heard):
    """What one has heard of each, in order."""
    found = {}
    for saying in heard:
        name, number = saying.rsplit(" ", 1)
        found.setdefault(name, []).append(int(number))
    return found


def expect_one_order(heard):
    """What any two have both heard they have heard in the same order."""
    lists = list(heard.values())
    for first, second in zip(lists, lists[1:] + lists[:1]):
        common = set(first) & set(second)
        assert [saying for saying in first if saying in common] == [saying for saying in second if saying in common]


def test_eight_participants_in_three_languages_agree_on_everything(relay, participants, gathering):
    participants.words.expect(r"WebSocket connection to .* failed", r"Failed to load resource", r"net::ERR_")
    ana = Page("Ana", participants.open(relay.url + "groupactivities/index.js"), relay, title="Plan")
    elders = gathering.add(
        ana, SwiftProgram("Ben", ana.link), SwiftProgram("Cleo", ana.link), SwiftProgram("Dan", ana.link), NodeProgram("Eva", relay, ana.link),
        Page("Finn", participants.open(relay.url + "groupactivities/index.js"), relay, ana.link))
    names = sorted(person.name for person in elders)
    gathering.until("all six are in", lambda _, answer: answer["participants"] == names, LIMIT_SECONDS)

    def say(people, begin, end):
        for person in people:
            gathering.ask(person, "say", **{"from": begin, "to": end})

    def add(numbers):
        for number in numbers:
            gathering.ask(elders[number % len(elders)], "add", number=number, sizeBytes=ATTACHMENT_SIZES[number])

    # Two come while the others talk and share.
    say(elders, 0, FIRST // 2)
    add(range(0, 10))
    late = gathering.add(SwiftProgram("Gil", ana.link), NodeProgram("Hana", relay, ana.link))
    say(elders, FIRST // 2, FIRST)
    everybody = gathering.people
    names = sorted(person.name for person in everybody)
    gathering.until("all eight are in", lambda _, answer: answer["participants"] == names, LIMIT_SECONDS)
    gathering.until("the elders have heard everything", lambda _, answer: answer["heardCount"] == FIRST * 5 and answer["said"] == FIRST, LIMIT_SECONDS, elders)
    gathering.until("everybody sees ten attachments", lambda _, answer: len(answer["attachments"]) == 10, LIMIT_SECONDS)

    # Whoever came late has heard the last of each from some place on, without a hole. One more word of each shows that nothing is on its way.
    say(elders, FIRST, FIRST + 1)
    gathering.until("the elders have heard the word", lambda _, answer: answer["heardCount"] == (FIRST + 1) * 5, LIMIT_SECONDS, elders)
    for person in late:
        while set(by_sender(gathering.ask(person, "heard")["heard"])) != {elder.name for elder in elders}:
            gathering.until("has heard the word", lambda _, answer: answer["heardCount"] >= len(elders), LIMIT_SECONDS, [person])
        gathering.until("has heard the word", lambda person, _: all(numbers[-1] == FIRST for numbers in by_sender(gathering.ask(person, "heard")["heard"]).values()), LIMIT_SECONDS, [person])
    before = {person.name: gathering.ask(person, "heard")["heard"] for person in everybody}
    expect_one_order(before)
    for heard in before.values():
        for numbers in by_sender(heard).values():
            assert numbers == list(range(numbers[0], FIRST + 1))

    # The relay dies while all eight talk, ten more attachments are on their way and two go.
    begin = {person.name: 0 if person in late else FIRST + 1 for person in everybody}
    for person in everybody:
        say([person], begin[person.name], MIDDLE)
    add(range(10, 15))
    relay.kill()
    add(range(15, 20))
    relay.start()
    said = {person.name: {other: list(range(begin[other], MIDDLE)) for other in begin if other != person.name} for person in everybody}
    gathering.until("everything said has its place", lambda _, answer: answer["said"] == MIDDLE, LIMIT_SECONDS)
    gathering.until("everybody has heard everything", lambda person, answer: answer["heardCount"] == len(before[person.name]) + sum(map(len, said[person.name].values())), LIMIT_SECONDS)
    gathering.until("everybody sees twenty attachments", lambda _, answer: len(answer["attachments"]) == 20, LIMIT_SECONDS)
    gathering.ask(late[0], "remove", number=3)
    gathering.ask(ana, "remove", number=12)
    standing = sorted(f"{number} {elders[number % 6].name}" for number in range(20) if number not in (3, 12))
    gathering.until("everybody sees the eighteen that stand", lambda _, answer: answer["attachments"] == standing, LIMIT_SECONDS)
    for person in everybody:
        heard = by_sender(gathering.ask(person, "heard")["heard"][len(before[person.name]):])
        assert heard == said[person.name]
    contents = {str(number): content(number, ATTACHMENT_SIZES[number]) for number in range(20) if number not in (3, 12)}
    for person in everybody:
        assert gathering.ask(person, "load")["contents"] == contents

    # The rest, and two leave after their last word: one of Swift, one page. What they shared stays.
    begin = {person.name: len(gathering.ask(person, "heard")["heard"]) for person in everybody}
    gathering.ask(elders[1], "retitle", title="Another plan")
    say(everybody, MIDDLE, LAST)
    gathering.until("everybody has heard the rest", lambda person, answer: answer["heardCount"] == begin[person.name] + (LAST - MIDDLE) * 7, LIMIT_SECONDS)
    after = {person.name: gathering.ask(person, "heard")["heard"][begin[person.name]:] for person in everybody}
    expect_one_order(after)
    for name, heard in after.items():
        assert by_sender(heard) == {other: list(range(MIDDLE, LAST)) for other in names if other != name}
    gathering.until("everybody has the new title", lambda _, answer: answer["title"] == "Another plan", LIMIT_SECONDS)
    gone = [elders[3], elders[5]]
    for person in gone:
        person.fulfil({"wish": "leave"})
    rest = [person for person in everybody if person not in gone]
    names = sorted(person.name for person in rest)
    gathering.until("the six who stay see that two are gone", lambda _, answer: answer["participants"] == names, LIMIT_SECONDS, rest)
    numbers = [line.split()[0] for line in standing]
    gathering.until("what they shared stays", lambda _, answer: [line.split()[0] for line in answer["attachments"]] == numbers, LIMIT_SECONDS, rest)
    assert gathering.ask(late[0], "load")["contents"] == contents
