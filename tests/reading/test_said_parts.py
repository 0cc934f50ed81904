"""What a part of a sentence, or its plain words, say of something known."""

from __future__ import annotations

import pytest

from nebo.reading.meaning.reader import read_text
from nebo.reading.relations.endings import taken_from_list
from nebo.reading.relations.judging import CLEAR
from nebo.reading.relations.said_parts import judge_said
from nebo.reading.words.plain_words import in_plain_words

FISH_MAN = "We've fallen out with our fish man, Gareth, he sent me three boxes of pollock."
WILFRED = "My dad Wilfred is on his own in Pickering, so I'm over there Tuesdays and Fridays."
SLEIGHTS = "Neville and I have been looking at a house up in Sleights, asking 310,000."


def is_over(known: str, said: str) -> bool:
    related = [judge_said(known, sentence) for sentence in read_text(said).sentences]
    return any(kind in ("changes", "ends") and chance >= CLEAR for kind, chance in related)


@pytest.mark.parametrize(
    ("known", "said"),
    [
        (
            "Farouk does the backend.",
            "Farouk's out, he got a job in Dubai, so I'm looking for someone for the backend.",
        ),
        ("Petra bakes.", "Petra's handed her notice in, she's opening her own place."),
        ("Works early shifts this year.", "new shifts since monday, im on lates now, start at 2."),
        ("I work earlies this year so im up at 4.", "I'm on nights now"),
        (
            "We practise Sundays at the boys club.",
            "practice is thursdays at the moment, sundays clash with the new drummer",
        ),
        (
            "Me and my sister Leanne aren't speaking, she forgot mum's anniversary.",
            "Leanne came to the gig, we had a proper talk, all good again",
        ),
        (FISH_MAN, "Gareth turned up with a crate of lobsters to say sorry, so we're friends again."),
        (WILFRED, "Dad's come to live with us."),
        ("My dad Wilfred is 83.", "Dad turned 84 on Tuesday."),
        (SLEIGHTS, "We got outbid on Sleights."),
        (
            "I have a slipped disc at the moment so no lifting for me.",
            "My back's right as rain again, been carrying crates since Sunday.",
        ),
        (
            "The GP thinks it's a slipped disc.",
            "The scan says it isn't a slipped disc after all, just a strain.",
        ),
        ("The budget is 3,800 pounds.", "No wait, I said the budget is 3,800, it's 4,300 with the grant"),
        ("Keziah does the sound.", "It's Bethan who does the sound now, Keziah moved to Lisbon"),
        ("I have a slipped disc at the moment.", "My back's right as rain again, been carrying crates."),
        (
            "I've two staff, Petra who bakes and young Joel on the counter.",
            "I said we had two staff, it's three now with Kit and a lass called Maisie.",
        ),
    ],
)
def test_what_a_part_of_a_sentence_ends_is_over(known: str, said: str) -> None:
    assert is_over(known, said)


@pytest.mark.parametrize(
    ("known", "said"),
    [
        ("My friend Dan is a baker.", "Dan's out with his dog, so I'm alone"),
        ("Petra bakes.", "Petra's in Whitby, she's opening the shop today, so I can sleep in."),
        (FISH_MAN, "Gareth had a crate of lobsters, so I bought none."),
        ("We practise Sundays at the boys club.", "I swim on Thursdays now, the pool is empty"),
        ("I work night shifts.", "I'm on lates this week"),
        (WILFRED, "Dad's coming to us for Easter."),
        ("My dad Wilfred is 83.", "Mum turned 84 on Tuesday."),
        (SLEIGHTS, "Sleights was lovely in the sun."),
        ("The GP thinks it's a slipped disc.", "My neighbour isn't ill after all."),
        ("My knee plays up on hills.", "My back's right as rain again"),
    ],
)
def test_what_only_names_it_leaves_it_as_it_is(known: str, said: str) -> None:
    assert not is_over(known, said)


@pytest.mark.parametrize(
    ("said", "plain"),
    [
        ("I'm on lates now", "I work late shifts now"),
        ("she's gone onto nights", "she works night shifts now"),
        ("Petra's handed in her notice", "Petra has resigned"),
        ("Dad's moved in with us", "Dad lives with us now"),
        ("I'm on lates this week", "I'm on lates this week"),
        ("I'm on days off now", "I'm on days off now"),
        ("she hasn't moved in with us", "she hasn't moved in with us"),
        ("she hasn't handed in her notice", "she hasn't handed in her notice"),
        ("on days like this I stay in", "on days like this I stay in"),
    ],
)
def test_idioms_are_read_in_plain_words(said: str, plain: str) -> None:
    assert in_plain_words(said) == plain


def test_a_home_is_left_by_one_and_stays_the_others() -> None:
    known = "Keiran shares a flat in Lochee with their mate Baz."

    assert taken_from_list(known, "Baz has moved out") == "Keiran shares a flat in Lochee."
    assert taken_from_list(known, "Baz is out tonight") is None
    assert taken_from_list("Keiran lives with Baz.", "Baz has moved out") is None


@pytest.mark.parametrize(
    "known, said, left",
    [
        ("Iris runs a bindery in Hexham with her partner Owen.", "owen left, so it's me alone", "in Hexham."),
        ("Ich leite die Werkstatt in Jena mit meiner Kollegin Silke.", "Silke hat gekündigt", "in Jena."),
        ("Llevo un taller de bicis en Lugo con mi socio Darío.", "Darío se ha marchado", "en Lugo."),
        ("Iris runs a bindery in Hexham with her partner Owen.", "Owen left the glue open", None),
        ("Iris plays tennis on Mondays with her neighbour Ada.", "Ada has moved out", None),
        ("Iris went to Malta with her friend Jo Baker.", "Jo has left", None),
    ],
)
def test_work_goes_on_without_who_has_left(known: str, said: str, left: str | None) -> None:
    rest = taken_from_list(known, said)

    assert rest == left if left is None else (rest or "").endswith(left)
