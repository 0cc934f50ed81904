"""The configuration for a text, and pairs of characters for scripts without spaces."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from search.language import (
    characters_to_find,
    choose_configuration,
    likely_configurations,
    segment_for_index,
    segment_for_query,
)

SENTENCES = [
    ("english", "When did Caroline go to the support group?"),
    ("english", "I love my dog, and he loves the beach."),
    ("german", "Wo hat Anna den Schlüssel hingelegt?"),
    ("german", "Ich gehe morgen mit meiner Schwester ins Kino."),
    ("french", "Où est-ce que Marie travaille maintenant ?"),
    ("french", "Je vais au marché avec ma sœur."),
    ("spanish", "¿Dónde vive la hermana de Juan?"),
    ("spanish", "Mi perro se llama Toby y le gusta la playa."),
    ("portuguese", "Onde você mora com a sua irmã?"),
    ("italian", "Dove abita la sorella di Marco?"),
    ("dutch", "Waar heeft Jan zijn sleutels gelaten?"),
    ("swedish", "Var har du lagt min bok och mina nycklar?"),
    ("finnish", "Missä hän asuu ja milloin hän on kotona?"),
    ("hungarian", "Hol van a kulcs, és mikor jön az anya?"),
    ("romanian", "Unde este cheia și când vine mama?"),
    ("turkish", "Annem nerede ve ne zaman gelecek?"),
    ("turkish", "Kedimin adı Pamuk, çok tatlıdır."),
    ("indonesian", "Di mana kunci yang saya simpan untuk dia?"),
    ("russian", "Где живёт сестра Ивана?"),
    ("greek", "Πού μένει η αδελφή μου;"),
    ("arabic", "أين تسكن أخت أحمد؟"),
    ("hindi", "मेरा घर कहाँ है?"),
    ("simple", "Де живе моя сестра і її діти?"),
    ("simple", "خواهر من کجا زندگی می‌کند؟ پدر چه گفت"),
    ("simple", "Gdzie są moje klucze i książka?"),
    ("simple", "我的猫叫什么名字？"),
    ("simple", "私の猫の名前は何ですか"),
    ("simple", "내 고양이 이름은 뭐예요?"),
    ("simple", "แมวของฉันชื่ออะไร"),
    ("simple", "איפה גרה אחותי?"),
    ("simple", "我用 Python 写代码"),
    ("simple", ""),
    ("simple", "42 🎉 --"),
]


@pytest.mark.parametrize("expected, text", SENTENCES)
def test_a_sentence_tells_its_configuration(expected: str, text: str) -> None:
    assert choose_configuration(text) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What did she say about the trip?", ["english", "simple"]),
        ("oficio del abuelo del usuario", ["english", "spanish", "italian", "catalan", "simple"]),
        ("An welchem Tag war die Operation?", ["german", "english", "simple"]),
        ("An welchem Wochentag ist Chorprobe?", ["english", "german", "simple"]),
        ("我的猫叫什么名字？", ["simple", "english"]),
        ("Caroline Sunrise", ["english", "simple"]),
        ("", ["english", "simple"]),
    ],
)
def test_a_question_is_looked_up_in_all_languages_it_may_be_in(question: str, expected: list[str]) -> None:
    assert likely_configurations(question) == expected


def test_latin_letters_that_do_not_tell_get_the_default() -> None:
    assert choose_configuration("Caroline Sunrise") == "simple"
    assert choose_configuration("Caroline Sunrise", default="english") == "english"


def test_the_default_is_for_latin_letters_alone() -> None:
    assert choose_configuration("猫", default="english") == "simple"


def test_a_foreign_name_does_not_change_the_language() -> None:
    text = "We met Wałęsa in Gdańsk and he told us about the strike and what it was for."

    assert choose_configuration(text) == "english"


@given(st.text(max_size=300))
def test_any_text_has_a_configuration_and_can_be_segmented(text: str) -> None:
    assert choose_configuration(text)
    assert segment_for_index(text).split() or not text.strip()


def test_chinese_becomes_pairs_and_single_characters_for_the_index() -> None:
    assert segment_for_index("我喜欢猫").split() == ["我喜", "喜欢", "欢猫", "我", "喜", "欢", "猫"]
    assert segment_for_query("喜欢猫").split() == ["喜欢", "欢猫"]


def test_a_single_character_of_a_query_stands_in_the_index_too() -> None:
    query, indexed = segment_for_query("猫").split(), segment_for_index("我喜欢猫").split()

    assert query == ["猫"]
    assert set(query) <= set(indexed)


@pytest.mark.parametrize(
    "text, word", [("แมวของฉันชื่ออะไร", "แมว"), ("고양이를 좋아해요", "고양이"), ("私の名前は田中", "名前")]
)
def test_a_word_inside_a_run_finds_it(text: str, word: str) -> None:
    assert set(segment_for_query(word).split()) <= set(segment_for_index(text).split())


def test_spaced_scripts_stay_as_they_are() -> None:
    for text in ("Plain text, with 3 words.", "Schöne Grüße", "أين تسكن", "Где живёт"):
        assert segment_for_index(text) == segment_for_query(text) == text


def test_mixed_text_keeps_its_latin_words() -> None:
    assert segment_for_query("我用Python写").split() == ["我用", "Python", "写"]


@pytest.mark.parametrize(
    ("question", "characters"),
    [("她的狗叫什么名字？", "狗 叫 名 字"), ("猫", ""), ("Where is the dog?", ""), ("고양이", "")],
)
def test_characters_that_may_be_words_are_looked_for_by_themselves(question: str, characters: str) -> None:
    assert characters_to_find(question) == characters
