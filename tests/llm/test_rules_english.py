"""What the English grammar reads, and what it lets be."""

from __future__ import annotations

import re
import time
from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nebo.llm.rules.english.dates import find_when
from nebo.llm.rules.english.reading import RULES
from nebo.llm.rules.english.rules import Rule
from nebo.llm.rules.grammar import read_statements
from nebo.llm.rules.statements import Statement, Turn

MONDAY = datetime(2023, 5, 8, 13, 56, tzinfo=UTC)


def read(text: str, speaker: str = "") -> list[Statement]:
    return read_statements(Turn(text, speaker, MONDAY))


STATED = [
    ("My name is Sam.", "name", "user/name", "Is called Sam"),
    ("my name is sam", "name", "user/name", "Is called Sam"),
    ("Call me Sammy", "name", "user/name", "Is called Sammy"),
    ("From now on you can call me Sam", "name", "user/name", "Is called Sam"),
    ("Hi, I'm Julian. Nice to meet you", "name", "user/name", "Is called Julian"),
    ("I go by Lex", "name", "user/name", "Is called Lex"),
    ("I am Kim", "name", "user/name", "Is called Kim"),
    ("I'm Kim!", "name", "user/name", "Is called Kim"),
    ("Hello, I'm Kim Larsson. Can you help me?", "name", "user/name", "Is called Kim Larsson"),
    ("I live in Berlin.", "place", "user/location", "Lives in Berlin"),
    ("I'm based in Austin, Texas", "place", "user/location", "Lives in Austin, Texas"),
    ("i live in lisbon", "place", "user/location", "Lives in Lisbon"),
    ("My timezone is Europe/Berlin", "timezone", "user/timezone", "Is in the timezone Europe/Berlin"),
    ("I'm in UTC+2", "timezone", "user/timezone", "Is in the timezone UTC+2"),
    ("I'm on Pacific time", "timezone", "user/timezone", "Is in the timezone Pacific time"),
    ("I work as a nurse", "fact", "user/occupation", "Works as a nurse"),
    ("I work for Acme Corp and I love it", "fact", "user/employer", "Works at Acme Corp"),
    ("I'm allergic to peanuts", "preference", "allergy/peanuts", "Is allergic to peanuts"),
    ("I'm vegetarian", "preference", "user/diet", "Is vegetarian"),
    ("I prefer tea over coffee", "preference", "preference/coffee-or-tea", "Prefers tea over coffee"),
    ("I prefer coffee to tea", "preference", "preference/coffee-or-tea", "Prefers coffee to tea"),
    ("I like sushi", "preference", "preference/sushi", "Likes sushi"),
    ("I don't like sushi anymore", "preference", "preference/sushi", "Does not like sushi"),
    ("I can't stand loud music", "preference", "preference/loud-music", "Can't stand loud music"),
    ("My favourite color is blue", "preference", "favorite/color", "Has blue as their favorite color"),
    ("My brother's name is Tom", "relation", "person/tom", "Tom is the user's brother"),
    ("Oscar, my guinea pig, is great", "relation", "person/oscar", "Oscar is the user's guinea pig"),
    (
        "My daughter's birthday is on 13 August",
        "relation",
        "person/daughter/birthday",
        "The user's daughter's birthday is 13 August",
    ),
    ("I have two cats", "fact", "has/cat", "Has two cats"),
    (
        "I usually drink coffee in the morning",
        "habit",
        "habit/drink-coffee-morning",
        "Usually drinks coffee in the morning",
    ),
    ("Every morning I run five kilometers", "habit", "habit/run-five-kilometers", "Runs five kilometers every morning"),
    (
        "I'm working on a dashboard redesign",
        "project",
        "project/dashboard-redesign",
        "Is working on a dashboard redesign",
    ),
    ("We're launching the beta next month", "project", "project/beta", "Is launching the beta (June 2023)"),
    ("We decided to use Postgres", "decision", "decision/use-postgres", "Decided to use Postgres"),
    ("Let's go with the blue theme", "decision", "decision/blue-theme", "Decided to go with the blue theme"),
    ("I went to the dentist yesterday", "event", "event/went-dentist-2023-05-07", "Went to the dentist (7 May 2023)"),
    ("Last Friday, I joined a choir", "event", "event/joined-choir-2023-05-05", "Joined a choir (5 May 2023)"),
    ("My husband and I adopted a puppy", "event", "event/adopted-puppy-husband", "Adopted a puppy with their husband"),
    ("I used to live in Rome", "fact", "fact/used-to-live-rome", "Used to live in Rome"),
    ("Please remember that my car is a blue Volvo", "fact", "has/car", "The user's car is a blue Volvo"),
    ("Remember that my mother parks at gate 7", "remember", "note/mother-parks-gate-7",
     "The user's mother parks at gate 7"),
    ("My boat is called Seagull", "fact", "has/boat", "The user's boat is called Seagull"),
    ("My shoe size is 39", "fact", "user/shoe-size", "The user's shoe size is 39"),
    ("My wedding anniversary is on 3 June", "fact", "date/wedding-anniversary",
     "The user's wedding anniversary is on 3 June"),
    ("My flight to Oslo leaves on Friday", "fact", "date/flight-oslo",
     "The user's flight to Oslo leaves (12 May 2023)"),
    ("I have an appointment with the dentist on 12 April", "fact", "date/appointment-dentist-12-april",
     "Has an appointment with the dentist on 12 April"),
    ("I am a member of the rowing club", "fact", "member/rowing-club", "Is a member of the rowing club"),
    ("I get up at five every day", "habit", "habit/get-up", "Gets up at five every day"),
    ("I usually have porridge for breakfast", "habit", "habit/breakfast", "Usually has porridge for breakfast"),
    ("I take the tram number 28 to work", "habit", "habit/commute-work", "Takes the tram number 28 to work"),
    ("I'm on a low-salt diet", "preference", "user/diet", "Is on a low-salt diet"),
    ("I can't drink milk", "preference", "diet/milk", "Does not drink milk"),
    ("I'm a night owl", "fact", "fact/night-owl", "Is a night owl"),
    ("I grew up on a farm near Ghent", "fact", "user/upbringing", "Grew up on a farm near Ghent"),
    ("I studied chemistry in Vienna", "fact", "user/education", "Studied chemistry in Vienna"),
    ("I work for the Bank of England", "fact", "user/employer", "Works at the Bank of England"),
    ("My parents live in Graz", "relation", "person/parents/location", "The user's parents live in Graz"),
    ("My neighbour Rui keeps bees", "relation", "person/rui/keeps-bees", "Rui (the user's neighbour) keeps bees"),
    ("My doctor is Dr. Amaral", "relation", "person/dr-amaral", "Dr. Amaral is the user's doctor"),
    ("My favourite colour is blue", "preference", "favorite/color", "Has blue as their favorite color"),
    ("I'm allergic to walnuts, badly", "preference", "allergy/walnuts", "Is allergic to walnuts"),
    ("As always I prefer tea over coffee", "preference", "preference/coffee-or-tea", "Prefers tea over coffee"),
    ("As I told you, I like sushi", "preference", "preference/sushi", "Likes sushi"),
    ("We have three chickens called Ada, Bea and Cleo", "fact", "has/chicken",
     "Has three chickens called Ada, Bea and Cleo"),
    ("Can you remember that I'm vegan?", "preference", "user/diet", "Is vegan"),
    ("Remind me to call mom tomorrow", "task", "task/call-mom", "Call mom (9 May 2023)"),
    ("I need to buy milk on Friday", "task", "task/buy-milk", "Buy milk (12 May 2023)"),
    ("Forget that I like tea", "forget", "forget/like-tea", "Forget they like tea"),
    ("I live in Paris. What time is it there?", "place", "user/location", "Lives in Paris"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "kind", "key", "value"), STATED, ids=[row[0] for row in STATED])
def test_a_plain_statement_is_read(text: str, kind: str, key: str, value: str) -> None:
    (found, *_) = read(text)

    assert (found.kind, found.key, found.value) == (kind, key, value)
    assert text[found.start : found.end]


WISHES = [
    ("Keep it short", "style/short-replies", "length"),
    ("Please keep your answers short from now on", "style/short-replies", "length"),
    ("be more formal", "style/formal", "formality"),
    ("Can you be less formal?", "style/less-formal", "formality"),
    ("Stop using emojis", "style/no-emojis", "emoji"),
    ("Always answer in German", "style/in-german", "language"),
    ("Explain things like I'm five", "style/simple-words", "wording"),
]


@pytest.mark.parametrize(("text", "trait", "slot"), WISHES)
def test_a_wish_for_a_tone_is_a_trait_in_a_slot(text: str, trait: str, slot: str) -> None:
    assert [(found.key, found.slot) for found in read(text)] == [(trait, slot)]


NOT_STATED = [
    "Do I live in Rome?",
    "I like tea, right?",
    "If I lived in Rome, I would eat pasta daily",
    "What if I quit my job and I moved to Rome?",
    "I wish I lived in Rome",
    "I might move to Spain",
    "Maybe I like tea",
    "I think I like tea",
    "I'd love to see it",
    "We're thinking about moving to Oslo",
    "He said I like tea",
    'She told me: "I live in Paris and I work at Google"',
    "> I live in Rome",
    "Just kidding, I live on Mars",
    "Translate to French: I live in Paris and I work at Google",
    "Act as a pirate. I live in Tortuga and I like rum.",
    "I don't live in Paris",
    "I'm not married",
    "I didn't go to the party yesterday",
    "I live in a small apartment",
    "I have a meeting tomorrow",
    "I'm a bit tired",
    "I love you",
    "I love how you painted it",
    "I hate it when people are late",
    "I always thought you were nice",
    "I am Tired",
    "I'm German",
    "I am Batman fan",
    "I'm Batman",
    "I'm Korean",
    "I'm Canadian",
    "I Am Kim",
    "My laptop is broken",
    "My car is a mess",
    "My phone is at 5%",
    "My flight is late",
    "My exam was terrible",
    "My parents are great",
    "My kids are driving me crazy",
    "I get up when I want",
    "As she said, I like sushi",
    "I'm INTJ",
    "I'm Muslim",
    "I'm Pisces",
    "I'm Kim's sister",
    "I'm Sorry. That was rude",
    "I am Excited",
    "We talked for hours. I am Hungry",
    "I want to create a function that sorts a list",
    "I need to know how this works",
    "Call me later",
    "Do you remember when we met?",
    "Remember when I lived in Rome",
    "Remember, you are not alone",
    "forget it",
    "Never give up!",
    "Write me a poem about Rome and keep it short",
    "My sister is great",
    "I read that you moved",
    "I made it yesterday",
    "I took a while to answer",
]


@pytest.mark.parametrize("text", NOT_STATED)
def test_what_is_no_statement_gives_nothing(text: str) -> None:
    assert read(text) == []


def test_the_speaker_is_named_and_their_words_turned() -> None:
    text = "Wow, Mel! I went to a LGBTQ support group with my friend yesterday and it was so powerful."

    (found,) = read(text, "Caroline")

    assert found.value == "Caroline went to a LGBTQ support group with their friend (7 May 2023)"
    assert (
        text[found.start : found.end]
        == "I went to a LGBTQ support group with my friend yesterday and it was so powerful"
    )


def test_a_later_statement_of_a_slot_has_the_same_key() -> None:
    (first,), (second, *_) = read("I live in Paris"), read("I just moved to Berlin")

    assert first.key == second.key == "user/location"
    assert (first.detail, second.detail) == ("Paris", "Berlin")


def test_one_clause_can_state_several_things() -> None:
    found = {s.key: s.value for s in read("I just moved from Paris to New York City with my wife Sarah")}

    assert found == {
        "user/location": "Lives in New York City",
        "event/moved-york-city": "Moved to New York City from Paris",
        "person/sarah": "Sarah is the user's wife",
    }


def test_in_a_shared_conversation_keys_name_their_owner() -> None:
    (found,) = read_statements(Turn("I live in Oslo", "Caroline", MONDAY, shared=True))

    assert found.key == "caroline/user/location"


def test_an_asked_memory_matters_more() -> None:
    (told,), (asked,) = read("I like tea"), read("Remember that I like tea")

    assert (told.importance, asked.importance) == (1, 2)
    assert "remember" in asked.tags


@pytest.mark.parametrize(
    ("text", "label", "day"),
    [
        ("yesterday", "7 May 2023", date(2023, 5, 7)),
        ("last night", "7 May 2023", date(2023, 5, 7)),
        ("tomorrow morning", "9 May 2023", date(2023, 5, 9)),
        ("last Sat", "6 May 2023", date(2023, 5, 6)),
        ("last Monday", "1 May 2023", date(2023, 5, 1)),
        ("next Monday", "15 May 2023", date(2023, 5, 15)),
        ("last week", "the week before 8 May 2023", None),
        ("this past weekend", "the weekend before 8 May 2023", None),
        ("next month", "June 2023", None),
        ("last year", "2022", None),
        ("last winter", "winter 2022", None),
        ("last June", "June 2022", None),
        ("three days ago", "5 May 2023", date(2023, 5, 5)),
        ("five months ago", "December 2022", None),
        ("about 3 years ago", "2020", None),
        ("two weekends ago", "two weekends before 8 May 2023", None),
        ("a few weeks ago", "a few weeks before 8 May 2023", None),
        ("in two days", "10 May 2023", date(2023, 5, 10)),
        ("recently", "around May 2023", None),
    ],
)
def test_a_relative_date_is_counted_from_its_message(text: str, label: str, day: date | None) -> None:
    when = find_when(f"it was {text}, I think", MONDAY.date())

    assert when is not None
    assert (when.label, when.day) == (label, day)


def test_a_bare_weekday_points_the_way_it_is_asked() -> None:
    past, ahead = find_when("on Friday", MONDAY.date()), find_when("on Friday", MONDAY.date(), future=True)

    assert past is not None
    assert ahead is not None
    assert (past.day, ahead.day) == (date(2023, 5, 5), date(2023, 5, 12))


def test_without_a_day_dates_stay_as_they_were_said() -> None:
    (found,) = read_statements(Turn("I went to the dentist yesterday"))

    assert found.value == "Went to the dentist yesterday"


@given(st.text(alphabet=st.sampled_from(list("Iimy wen'tolkre.,?!-\n\"()")) | st.characters(codec="utf-8")))
def test_any_text_is_read_and_every_quote_stands_in_it(text: str) -> None:
    for found in read(text):
        assert 0 <= found.start < found.end <= len(text)


HOSTILE = [
    "I like ", "I like tea. ", "my wife ", "I, ", "a", "- ", "and I ", "\n", '"I ', "remember that ", "(",
    "Sam, my dog. ", "Last Friday, I ",
    "Thanks, Mel, ", "!?.", "```", ">", "\t", "Yeah, ", " I am Sam Sam Sam.", "please ", "\u3000",
    "my dog Max is a dog. ",
]  # fmt: skip


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.text[:40])
def test_every_rule_is_a_pattern_whatever_the_case(rule: Rule) -> None:
    assert rule.pattern.flags & re.IGNORECASE


@pytest.mark.parametrize("unit", HOSTILE)
def test_a_hostile_text_of_100_kb_is_read_in_bounded_time(unit: str) -> None:
    text = (unit * 100_000)[:100_000]

    started = time.process_time()
    read(text)

    assert time.process_time() - started < 2.0
