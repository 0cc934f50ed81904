"""One sentence that tells two things, or tells one and asks for another, is read as two."""

from __future__ import annotations

import pytest

from nebo.reading.facts.statements import find_fact
from nebo.reading.meaning.cutting import cut
from nebo.reading.meaning.reader import read_text
from nebo.reading.meaning.sentences import Span


@pytest.mark.parametrize(
    ("said", "told", "asked"),
    [
        ("I play the cello, but delete what I said about tennis.", "I play the cello", "tennis"),
        ("Delete what you know about Tom; we broke up in March.", "we broke up in March.", "Tom"),
        (
            "We moved to Bonn in May, so please delete the old address.",
            "We moved to Bonn in May",
            "old address",
        ),
    ],
)
def test_the_request_and_what_is_told_are_apart(said: str, told: str, asked: str) -> None:
    sentences = read_text(said).sentences

    (request,) = [one for one in sentences if one.meaning.may_be("forget")]
    assert told in [one.text for one in sentences]
    assert asked in request.text and told not in request.text
    assert all(said[one.start : one.end] == one.text for one in sentences)


@pytest.mark.parametrize(
    "said",
    [
        "Delete the cello, the tennis and the piano.",
        "Delete my brother's number, not my sister's.",
        "Lösch bitte, wo ich wohne.",
        "I play the cello, but I gave up tennis.",
    ],
)
def test_one_request_and_one_statement_stay_whole(said: str) -> None:
    assert [one.text for one in read_text(said).sentences] == [said]


@pytest.mark.parametrize(
    ("said", "parts"),
    [
        (
            "I've been a vegetarian since I was fifteen, and walnuts make my throat swell up",
            ["I've been a vegetarian since I was fifteen", "walnuts make my throat swell up"],
        ),
        ("I'm Ines, I'm a product designer at Lumio.", ["I'm Ines", "I'm a product designer at Lumio."]),
        (
            "Ich wohne in Bremen, arbeite als Krankenschwester",
            ["Ich wohne in Bremen", "Ich arbeite als Krankenschwester"],
        ),
        ("J'habite à Lyon, je suis infirmière", ["J'habite à Lyon", "je suis infirmière"]),
        ("My brother Tom and I work at Google.", ["My brother Tom and I work at Google."]),
        ("tengo dos sobrinas, Alba de 8 y Vera de 3", ["tengo dos sobrinas, Alba de 8 y Vera de 3"]),
        ("Ich habe zwei Neffen, Ole, 8, und Tim, 3", ["Ich habe zwei Neffen, Ole, 8, und Tim, 3"]),
        (
            "I'm Nora, 34, a nurse in Graz, home is Linz on weekends",
            ["I'm Nora", "I'm 34", "I'm a nurse", "I work in Graz", "home is Linz on weekends"],
        ),
        ("so I'm Ruth. 41, structural engineer", ["I'm Ruth.", "I'm 41", "I'm a structural engineer"]),
        (
            "Ich bin Jo, 38, und unterrichte Physik in Kassel",
            ["Ich bin Jo", "Ich bin 38", "Ich unterrichte Physik in Kassel"],
        ),
        (
            "mi padre, Paco, vive en Cádiz y tiene un taller de motos",
            ["mi padre Paco vive en Cádiz", "mi padre Paco tiene un taller de motos"],
        ),
        ("Mein Bruder, Jan, wohnt in Kiel.", ["Mein Bruder Jan wohnt in Kiel."]),
        (
            "two things: I need to renew the shop insurance by 20 May, and my daughter wants a cello",
            ["I need to renew the shop insurance by 20 May", "my daughter wants a cello"],
        ),
        (
            "Meine beste Freundin Jovana wohnt in Graz und sagt seit Jahren ich soll rüberkommen",
            ["Meine beste Freundin Jovana wohnt in Graz", "seit Jahren ich soll rüberkommen"],
        ),
        ("I need to renew the passport and the visa", ["I need to renew the passport and the visa"]),
        ("Mi mejor amiga, Leire, vive en Pamplona.", ["Mi mejor amiga Leire vive en Pamplona."]),
        ("Mi madre, Rosa y Ana son de Vigo", ["Mi madre, Rosa y Ana son de Vigo"]),
        ("I'm allergic to nuts, cats and pollen", ["I'm allergic to nuts, cats and pollen"]),
        ("Vivo con mi marido y con mi suegra", ["Vivo con mi marido y con mi suegra"]),
        ("I have two kids, a dog and a parrot", ["I have two kids, a dog and a parrot"]),
        (
            "Soy Marisol, soy veterinaria y vivo en Zaragoza con mi pareja",
            ["Soy Marisol", "soy veterinaria", "vivo en Zaragoza con mi pareja"],
        ),
        ("Busco piso y trabajo", ["Busco piso y trabajo"]),
        (
            "Tengo dos gatas, Nube y Trufa, y soy alérgica al ibuprofeno",
            ["Tengo dos gatas, Nube y Trufa", "soy alérgica al ibuprofeno"],
        ),
        (
            "Our new flat is in Rua das Flores, Porto, third floor without a lift",
            ["Our new flat is in Rua das Flores, Porto, third floor without a lift"],
        ),
        (
            "They gave me a project: Maré, a site for a surf school.",
            ["They gave me a project: Maré, a site for a surf school."],
        ),
        (
            "If I get the job, I'll move to Oslo and my wife will follow",
            ["If I get the job, I'll move to Oslo and my wife will follow"],
        ),
    ],
)
def test_facts_that_answer_different_questions_are_apart(said: str, parts: list[str]) -> None:
    sentences = read_text(said).sentences

    assert [one.text for one in sentences] == parts
    assert all(said[one.start : one.end].split()[-1] in one.text for one in sentences)


@pytest.mark.parametrize(
    ("said", "parts"),
    [
        (
            "im a paramedic in Leeds, night shifts mostly",
            ["im a paramedic", "I work in Leeds", "I work night shifts mostly"],
        ),
        (
            "i'm Marek, 41, electrician, two kids, live near Gdansk",
            ["i'm Marek", "i'm 41", "i'm an electrician", "I have two kids", "I live near Gdansk"],
        ),
        (
            "hiya im priya, 29, junior doctor in Cardiff",
            ["I'm Priya", "I'm 29", "I'm a junior doctor", "I work in Cardiff"],
        ),
        (
            "ich bin Krankenschwester in Graz, meistens Nachtdienst",
            ["ich bin Krankenschwester", "ich arbeite in Graz", "ich habe meistens Nachtdienst"],
        ),
        (
            "hi, ich bin jonas, wohne in Kiel und arbeite als Schreiner",
            ["ich bin Jonas", "ich wohne in Kiel", "ich arbeite als Schreiner"],
        ),
        (
            "je suis infirmière à Lyon, surtout de nuit",
            ["je suis infirmière", "je travaille à Lyon", "je travaille surtout de nuit"],
        ),
        (
            "Ich versuche gerade, mein Deutsch aufzufrischen, meine Oma kam aus Bremen",
            ["Ich versuche gerade, mein Deutsch aufzufrischen", "meine Oma kam aus Bremen"],
        ),
        ("I'm keen on brass bands and opera in the open", ["I'm keen on brass bands and opera in the open"]),
        ("I'm responsible for payroll and archives", ["I'm responsible for payroll and archives"]),
        (
            "Ich bin allergisch gegen Sellerie und Veganerin",
            [
                "Ich bin allergisch gegen Sellerie",
                "Ich bin Veganerin",
            ],
        ),
    ],
)
def test_what_somebody_tells_of_themselves_in_one_breath_is_apart(said: str, parts: list[str]) -> None:
    assert [one.text for one in read_text(said).sentences] == parts


@pytest.mark.parametrize(
    ("said", "parts"),
    [
        (
            "my sister Hedda lives in Bergen, she's a marine biologist",
            ["my sister Hedda lives in Bergen", "my sister Hedda is a marine biologist"],
        ),
        (
            "my partner Sam is from Lagos, they're a nurse",
            ["my partner Sam is from Lagos", "my partner Sam is a nurse"],
        ),
        (
            "me and my wife Tamsin have twins, Edie and Rufus, they turned 4 last week",
            [
                "me and my wife Tamsin have twins, Edie and Rufus",
                "my twins Edie and Rufus turned 4 last week",
            ],
        ),
        (
            "ive got a dog called biscuit and he's scared of fireworks",
            ["ive got a dog called Biscuit", "my dog Biscuit is scared of fireworks"],
        ),
        (
            "we got a rescue greyhound called Mabel, she hates stairs",
            ["we got a rescue greyhound called Mabel", "my greyhound Mabel hates stairs"],
        ),
        (
            "my daughter Nia plays the cello and my son Owen does judo",
            ["my daughter Nia plays the cello", "my son Owen does judo"],
        ),
        (
            "meine Tochter Lena ist 6 und geht in die erste Klasse",
            ["meine Tochter Lena ist 6", "meine Tochter Lena geht in die erste Klasse"],
        ),
        (
            "mi hermana Inés vive en Vigo, es bióloga",
            ["mi hermana Inés vive en Vigo", "mi hermana Inés es bióloga"],
        ),
        (
            "dad lives in a care home in Whitby, he has parkinsons",
            ["dad lives in a care home in Whitby", "dad has parkinsons"],
        ),
        (
            "vivo con mi abuela Pilar, tiene 88 años",
            ["vivo con mi abuela Pilar", "mi abuela Pilar tiene 88 años"],
        ),
        (
            "meine Frau heißt Petra, sie ist Hebamme",
            ["meine Frau heißt Petra", "meine Frau Petra ist Hebamme"],
        ),
        (
            "mi padre se llama Ramón y tiene 72 años",
            ["mi padre se llama Ramón", "mi padre Ramón tiene 72 años"],
        ),
        (
            "ma sœur Anne habite à Brest, elle est prof",
            ["ma sœur Anne habite à Brest", "ma sœur Anne est prof"],
        ),
        (
            "mia sorella Elena vive a Torino, è architetta",
            ["mia sorella Elena vive a Torino", "mia sorella Elena è architetta"],
        ),
    ],
)
def test_what_is_told_of_somebody_named_before_is_apart_and_names_them(said: str, parts: list[str]) -> None:
    assert [one.text for one in read_text(said).sentences] == parts


@pytest.mark.parametrize(
    "said",
    [
        "im allergic to bees unless i have my epipen with me",
        "i never eat breakfast, except on sundays",
        "if it rains i work from home, otherwise im in the office in Leith",
        "my mum lives alone and has carers if I'm away",
        "im lactose intolerant so oat milk only",
        "im vegetarian but i eat fish sometimes",
        "Clay is incredible, it brings me so much joy",
        "Yeah, Caroline, they're some of my fave memories",
        "me and my brother run a barber shop on Mill Road",
        "my mate Dev owes me 50 quid, dont tell anyone",
        "I'm a believer in God",
        "My mom Jamie, who's 80, lives just 3 miles away",
        "Ich bin Lehrerin in Elternzeit",
    ],
)
def test_a_condition_an_exception_and_a_confidence_stay_with_what_they_are_said_of(said: str) -> None:
    assert [one.text for one in read_text(said).sentences] == [said]


@pytest.mark.parametrize(
    ("said", "values"),
    [
        ("Tamsin's started a job at the library, dead chuffed", ["Tamsin has started a job at the library."]),
        ("we drive an old skoda, the clutch is going", ["The user drives an old skoda."]),
        ("cant have shellfish, i swell up like a balloon", ["The user can't have shellfish."]),
        ("my mate Dev owes me 50 quid, dont tell anyone", ["The user's mate Dev owes them 50 quid."]),
        ("Oskar here", ["The user is Oskar."]),
        ("York now, closer to Tamsins mum", ["The user lives in York now, closer to Tamsins mum."]),
        ("bin gegen Katzen allergisch", ["Ich bin gegen Katzen allergisch."]),
        (
            "ich esse kein Fleisch, außer wenn meine Oma kocht",
            ["Ich esse kein Fleisch, außer wenn meine Oma kocht."],
        ),
        (
            "booked flights to Porto in May, me and Jess",
            ["The user booked flights to Porto in May with Jess."],
        ),
        ("ma sœur Anne habite à Brest", ["Ma sœur Anne habite à Brest."]),
    ],
)
def test_what_is_kept_reads_as_somebody_would_write_it(said: str, values: list[str]) -> None:
    facts = [find_fact(one, speaker="", on=None) for one in read_text(said).sentences]

    assert [fact.value for fact in facts if fact] == values


def test_who_is_named_in_one_breath_is_somebody_of_their_own() -> None:
    (pair, twins) = read_text("me and my wife Tamsin have twins, Edie and Rufus, they turned 4").sentences

    first, second = (find_fact(one, speaker="", on=None) for one in (pair, twins))

    assert first is not None and second is not None
    assert (first.person, first.beside) == ("Tamsin", ("person:Edie", "person:Rufus"))
    assert (second.person, second.beside) == ("Edie", ("person:Rufus",))


def test_a_text_to_work_on_is_nobodys_own_words() -> None:
    for text in (
        "can you translate: I live in Paris",
        "Please translate this: I live in Paris. I'm a nurse.",
    ):
        facts = [find_fact(one, speaker="", on=None) for one in read_text(text).sentences]

        assert not any(facts), text


@pytest.mark.parametrize(
    "said",
    [
        "Lena, my niece, is allergic to hazelnuts.",
        "Lena, mi sobrina, es alérgica a las nueces.",
        "Priya Raman, our accountant, has two cats.",
    ],
)
def test_a_name_before_who_it_is_stays_with_what_is_told_of_them(said: str) -> None:
    (sentence,) = read_text(said).sentences

    assert sentence.text == said


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("Lena, my niece, is allergic to hazelnuts.", "Lena, the user's niece, is allergic to hazelnuts."),
        ("Mel, my sister lives in Leeds.", "The user's sister lives in Leeds."),
    ],
)
def test_who_is_told_of_is_kept_and_who_is_spoken_to_is_not(said: str, kept: str) -> None:
    (sentence,) = read_text(said).sentences

    fact = find_fact(sentence, speaker="", on=None)

    assert fact is not None
    assert fact.value == kept


@pytest.mark.parametrize(
    ("said", "parts"),
    [
        (
            "Alright, I'm Joss. I teach maths in Cardiff, god help me",
            ["Alright, I'm Joss.", "I teach maths in Cardiff, god help me"],
        ),
        (
            "soy apicultora. la marca se llama Miel de la Sierra",
            ["soy apicultora.", "la marca se llama Miel de la Sierra"],
        ),
        (
            "I'm Pilar, freelance translator from German and English into Spanish",
            ["I'm Pilar", "I'm a freelance translator from German and English into Spanish"],
        ),
        (
            "i handed in my notice, aurel and i are moving to vienna",
            ["i handed in my notice, aurel and i are moving to vienna"],
        ),
        ("roswitha hat am 4. november geburtstag", ["roswitha hat am 4. november geburtstag"]),
    ],
)
def test_what_has_a_subject_of_its_own_borrows_none(said: str, parts: list[str]) -> None:
    assert [one.text for one in read_text(said).sentences] == parts


@pytest.mark.parametrize(
    "text",
    [
        "I'm always on the hunt for unique, trendy pieces",
        "my plan has three parts (boats, ropes, and sails)",
        "taking care of myself physically, emotionally, and mentally helps me",
    ],
)
def test_no_clause_ends_in_the_middle_of_a_list_of_qualities_or_in_brackets(text: str) -> None:
    assert list(cut(Span(text, 0, len(text)))) == []
