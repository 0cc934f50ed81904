"""Which text search configuration of Postgres suits a text, and lexemes for scripts without spaces."""

import re
from collections import defaultdict
from collections.abc import Mapping

DEFAULT_LANGUAGE = "english"  # for Latin text too short to tell
UNSURE = "simple"  # the configuration that neither stems nor drops a word
SAMPLE_CHARS = 800  # enough to tell; keeps a long text as quick as a short one
MIN_SCORE = 1.0  # one word that no other language has
MIN_LEAD = 1.2  # times the runner-up's score
MOST_LIKELY = 3  # languages that a question may be in
LETTER_SCORE = 1.5  # a letter of one language alone weighs more than one word

# The commonest words that Postgres' languages don't mean anything else by.
STOPWORDS: Mapping[str, str] = {
    "english": "the and of to in is was for that it with he she they on are be this have from you not"
    " what when where who how did does do has had were my your her his their i we a an at by"
    " will would can which why",
    "german": "der die das und ist nicht ich du wir ihr sie ein eine einen einer dem den des mit auf"
    " für von zu im war hat haben sind wie wo wann wer was warum auch mein meine sein aus bei"
    " nach über ihn mir mich gern",
    "french": "le la les des et est dans que qui pour pas une un du au aux je tu il elle nous vous ils"
    " sur avec ce cette sont était mon ma mes où quand comment pourquoi quel quelle ont fait"
    " plus de son sa ses j c l d qu n",
    "spanish": "el la los las y es en que de un una por con para no se del al lo su sus está como más"
    " pero mi yo tú dónde cuándo qué quién cómo cuál fue son tiene hay muy le me te nos donde"
    " cuando porque",
    "portuguese": "o a os as e é em que de um uma por com para não se do da dos das no na ao seu sua está"
    " como mais mas meu minha eu você onde quando quem qual foi são tem muito nos ele ela isso",
    "italian": "il lo la i gli le e è in che di un una per con non si del della dei delle al alla sono"
    " come più ma mio mia io dove quando chi quale cosa perché era ha ho nel nella questo"
    " quello da",
    "dutch": "de het een en is van in dat op te zijn niet ik je jij hij zij wij met voor aan er maar"
    " om ook als bij waar wanneer wie wat hoe waarom mijn was heeft naar dit die deze ben"
    " hebben",
    "swedish": "och att det är en ett som på för med av inte jag du han hon vi den till var har om när"
    " vem vad hur varför min mitt från men så kan ska sig i de",
    "danish": "og at det er en et som på for med af ikke jeg du han hun vi den til hvor har om når hvem"
    " hvad hvordan hvorfor min mit fra men så kan skal sig i de var",
    "norwegian": "og at det er en et som på for med av ikke jeg du han hun vi den til hvor har om når hvem"
    " hva hvordan hvorfor min mitt fra men så kan skal seg i de var ei",
    "finnish": "ja on ei se että hän minä sinä oli mutta kun niin ovat tai myös missä milloin kuka mikä"
    " miten miksi minun hänen olen mitä joka tämä sen kuin ole",
    "hungarian": "a az és hogy nem is egy van volt ez azt én te ő mi meg de csak hol mikor ki mit hogyan"
    " miért nem vagy mint már el ha",
    "romanian": "și este în de la cu nu un o pe care să din mai pentru eu tu el ea noi sunt unde când"
    " cine ce cum fost are al ale lui prin dar",
    "turkish": "ve bir bu da de için ile ne o ben sen biz var yok mi mı mu mü çok daha gibi ama nerede"
    " kim nasıl neden zaman benim senin onun olan olarak kadar şey hangi değil",
    "indonesian": "yang dan di ke dari ini itu untuk dengan tidak saya kamu dia kami adalah akan pada juga"
    " sudah ada apa siapa kapan bagaimana mengapa mana bisa oleh",
    "catalan": "el la els les i és en que de un una per amb no es del al com més però jo tu on quan qui"
    " què quin va són té molt meu meva aquest aquesta",
}
# Letters that give one of these languages away.
LETTERS: Mapping[str, str] = {
    "german": "ß", "spanish": "ñ¿¡", "portuguese": "ãõ", "turkish": "ğış", "romanian": "țșă",
    "hungarian": "őű", "french": "œ",
}  # fmt: skip
# Languages that Postgres has no configuration for and that share words with those above.
STRANGERS = "ąęłńśźżčěřůďťňľĺŕđħāēīūļķģņ"

SCRIPTS: Mapping[str, str] = {
    "arabic": "\u0600-\u06ff\u0750-\u077f\u08a0-\u08ff\ufb50-\ufdff\ufe70-\ufeff",
    "russian": "\u0400-\u04ff",
    "greek": "\u0370-\u03ff\u1f00-\u1fff",
    "hindi": "\u0900-\u097f",
    "tamil": "\u0b80-\u0bff",
    "armenian": "\u0530-\u058f",
}
OTHER_CYRILLIC = re.compile("[іїєґўђјљњћџѓќѕ]", re.IGNORECASE)
PERSIAN_OR_URDU = re.compile("[پچژگکیٹڈڑےں]")

HAN_AND_KANA = (
    "\u3005\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f"
)
HANGUL = "\u1100-\u11ff\u3130-\u318f\ua960-\ua97f\uac00-\ud7ff"
SOUTHEAST_ASIAN = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"  # Thai, Lao, Burmese, Khmer
UNSPACED = re.compile(f"[{HAN_AND_KANA}{HANGUL}{SOUTHEAST_ASIAN}]+")
HAN_LIKE = re.compile(f"[{HAN_AND_KANA}]")

# Characters that are hardly ever a word of their own worth looking for: particles, pronouns, measure words.
PARTICLES = frozenset(
    "的了是在有和与也都就很不没我你您他她它们这那哪什么怎为吗呢吧啊谁几个只一着过到会能要去来のはがをにでとも"
)

WORD = re.compile(r"[^\W\d_]+")
LATIN = re.compile("[A-Za-z\u00c0-\u024f\u1e00-\u1eff]+")
BEYOND_LATIN = re.compile("[^\x00-\u024f\u1e00-\u1eff\u2000-\u2bff]")  # the last: punctuation and symbols
SCRIPT_RUNS = {name: re.compile(f"[{letters}]+") for name, letters in SCRIPTS.items()}


def _invert(words_by_language: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    languages: defaultdict[str, list[str]] = defaultdict(list)
    for language, words in words_by_language.items():
        for word in set(words.split()):
            languages[word].append(language)
    return {word: tuple(names) for word, names in languages.items()}


LANGUAGES_OF = _invert(STOPWORDS)
LANGUAGE_OF_LETTER = {letter: language for language, letters in LETTERS.items() for letter in letters}
LANGUAGE_OF_LETTER.update(dict.fromkeys(STRANGERS, UNSURE))


def choose_configuration(text: str, *, default: str = UNSURE) -> str:
    """The Postgres text search configuration for `text`; `default` for Latin letters that don't say.

    `simple` for scripts that are written without spaces or that no configuration knows. Looks at the first
    800 characters: microseconds for a turn.
    """
    sample = text[:SAMPLE_CHARS]
    if sample.isascii():
        return _by_words(sample.lower(), default)
    script = _main_script(sample)
    if script == "latin":
        return _by_words(sample.lower(), default)
    if script == "russian" and OTHER_CYRILLIC.search(sample):
        return UNSURE
    if script == "arabic" and PERSIAN_OR_URDU.search(sample):
        return UNSURE
    return script


def likely_configurations(question: str) -> list[str]:
    """The configurations by which a question's words are looked up, the likeliest first, each once.

    A few words often don't tell their language, and looking them up in one more costs little: a stem of the wrong
    language is hardly ever another word of the right one. English and unstemmed words are always among them.
    """
    chosen = choose_configuration(question, default=DEFAULT_LANGUAGE)
    others = _likely_languages(question[:SAMPLE_CHARS].lower())
    return list(dict.fromkeys([chosen, *others, DEFAULT_LANGUAGE, UNSURE]))


def segment_for_index(text: str) -> str:
    """`text` with scripts that use no spaces, or glue particles to words, as overlapping pairs of characters.

    “我喜欢猫” becomes “我喜 喜欢 欢猫 我 喜 欢 猫”: pairs tell words apart, and single Han or kana
    characters, often words of their own, are found too. The rest stays as it is.
    """
    if text.isascii():
        return text
    return UNSPACED.sub(lambda run: f" {_pairs(run[0])} {_singles(run[0])} ", text)


def segment_for_query(text: str) -> str:
    """Like `segment_for_index`, but single characters only where one stands alone: pairs are surer."""
    if text.isascii():
        return text
    return UNSPACED.sub(lambda run: f" {_pairs(run[0])} ", text)


def characters_to_find(text: str) -> str:
    """Single Han and kana characters of a question that may be words: 狗 is one, whatever stands beside it."""
    if text.isascii():
        return ""
    runs = (run for run in UNSPACED.findall(text) if len(run) > 1)
    return " ".join(
        dict.fromkeys(one for run in runs for one in HAN_LIKE.findall(run) if one not in PARTICLES)
    )


def _pairs(run: str) -> str:
    return " ".join(run[start : start + 2] for start in range(len(run) - 1)) or run


def _singles(run: str) -> str:
    return " ".join(HAN_LIKE.findall(run)) if len(run) > 1 else ""


def _main_script(sample: str) -> str:
    """The configuration of the commonest script, "latin", or "simple" for those without one."""
    if not BEYOND_LATIN.search(sample):
        return "latin"
    unspaced = sum(len(run) for run in UNSPACED.findall(sample))
    counts = {
        "latin": sum(map(len, LATIN.findall(sample)))
    }  # first, so that no letters at all count as Latin
    counts |= {name: sum(map(len, runs.findall(sample))) for name, runs in SCRIPT_RUNS.items()}
    letters = sum(map(len, WORD.findall(sample)))
    # One Chinese character says as much as a few Latin letters.
    counts[UNSURE] = max(3 * unspaced, letters - unspaced - sum(counts.values()))
    return max(counts, key=lambda name: counts[name])


def _by_words(sample: str, default: str) -> str:
    """The language whose stopwords and letters lead."""
    return _leader(_scores(sample)) or default


def _scores(sample: str) -> Mapping[str, float]:
    """How much stopwords and letters speak for each language, each word shared out among its languages."""
    scores: defaultdict[str, float] = defaultdict(float)
    for word in WORD.findall(sample):
        languages = LANGUAGES_OF.get(word, ())
        for language in languages:
            scores[language] += 1 / len(languages)
    if not sample.isascii():
        for letter in sample:
            if letter in LANGUAGE_OF_LETTER:
                scores[LANGUAGE_OF_LETTER[letter]] += LETTER_SCORE
    return scores


def _likely_languages(sample: str) -> list[str]:
    """The leading language, and those that have at least half of its score."""
    scores = _scores(sample)
    least = max(scores.values(), default=0.0) / 2
    ordered = sorted(scores, key=lambda language: scores[language], reverse=True)
    return [language for language in ordered if scores[language] >= least][:MOST_LIKELY]


def _leader(scores: Mapping[str, float]) -> str | None:
    """The highest, if it stands on its own and well ahead."""
    ordered = sorted(scores, key=lambda language: scores[language], reverse=True)
    if not ordered or scores[ordered[0]] < MIN_SCORE:
        return None
    if len(ordered) > 1 and scores[ordered[0]] < MIN_LEAD * scores[ordered[1]]:
        return None
    return ordered[0]
