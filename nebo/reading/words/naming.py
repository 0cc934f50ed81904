"""What a request names: "forget what I said about tennis" names tennis, "don't keep that" nothing."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection
from functools import lru_cache

from nebo.reading.words.content_words import without_accents
from nebo.reading.words.hasty import write_apostrophes
from nebo.reading.words.kept import KEPT_WORDS

# Of what such requests are made beside what they name: who asks whom, "that", to say, to keep, to forget.
_SMALL = {
    "en": "better "
    "a about again also an and any anymore are as at be been being place bin bit bits bring but by "
    "can clear could d delete did didn do does "
    "don drop entry erase ever fact file files for forget from further get got had has have hear heard her here "
    "him his hold i if important in info into is it its just keep kept kindly know last least let like ll log longer m "
    "matter me mean memory mention mentioned message mine more my need needn never no not note noted notes now of off "
    "ok on one only or our out part please pls rather re really record records remember remembering rid s said "
    "save say scrap scratch should shouldn so some stop store strike stuff such t take tell than that the their them "
    "there these they thing things this those to told toss whole entire typed u unsaid up us ve want was wasn we "
        "were what "
    "whatever when where which who why wipe with won would write wrote you your",
    "de": "besser gehört hören hättest wolltest "
    "aber als also am an auch auf aus behalt behalte behalten bei bin bist bitte bloß brauch brauche brauchen "
    "brauchst da dabei dafür damit daran das dass davon dazu dein deine deinem deinen deiner dem den denn der des "
    "die dies diese dieser dir doch du eben eigentlich ein eine einem einen einer einfach einmal entfern entferne "
    "ma wat dat nich "
    "erinnerung erzählt es euch eure fakt für gar gedächtnis gegen geht gelöscht gemerkt gerade gern gerne gesagt "
    "geschrieben gespeichert gleich hab habe haben hast hatte hätte ich ihm ihn ihr im in ist ja jetzt kann "
    "kannst können könntest lass letzte letzten lieber lösch lösche löschen löschst mal mehr mein meine meinem "
    "meinen meiner meins merk merken merkst mich mir mit muss musst möchte nachricht natürlich nicht nichts nie "
    "niemals noch nochmal notier notieren notiz notizen nur oder ohne raus sache satz schnell schon sein seine "
    "sich sie sind ganz ganze ganzen soll sollen sollst sollte solltest speicher speichern speicherst steht streich "
        "streiche "
    "streichen tu um und uns unser unsere vergessen vergiss vergisst vom von vorhin wann war waren warst was weg "
    "weil weiß weißt wenn wer wichtig wie wieder will wir wird wo wollte worden zu zum zur über",
    "es": "deberías haber haberlo oído oír "
    "a acabo ahora al algo apuntes aquello así aunque bien borra borrar borrarlo borre bórralo bórrame como con "
    "cosa cosas cuando dato datos de decir deja dejes del dicho digo dije donde dónde e el elimina eliminar "
    "elimínalo ella en era eres es esa esas escribí escrito ese eso esos esta estas este esto estos está favor "
    "guarda guardado guardar guardaste guarde guardes guárdalo ha hace hagas has he la las le lo los me mejor "
    "memoria memorices mensaje mi mis mío nada necesito ni no nuestra nuestro nunca o olvida olvidar olvidarlo "
    "olvide olvides olvídalo olvídate para pero podrías por porfa puedes que quede quedes quien quiero quita "
    "quitar quién qué recuerdes registres saber sabes se si sobre soy su sus sé tal también te ten tener tengas "
    "tengo ti tienes tu tus tú un una unas unos y ya yo él último",
    "fr": "aurais dû entendre entendu "
    "ai ait appris au aussi aux avais avait avec avoir c ce ceci cela celle celui ces cet cette chose choses ci "
    "comme concerne dans de dernier des dire dis dit donc dont du efface effacer effaces elle en enlève "
    "enregistre enregistrer enregistres est et eux fait faut garde garder gardes gardé histoire ici il ils j je "
    "juste l la laisse le les leur lui là ma mes message mets mieux moi mon mémoire n ne nos note noter notes "
    "notre nous on ou oublie oublier oublies oubliez où par pas peu peux phrase plait plaît plus pour pourrais "
    "pourriez préfère qu quand que quelqu quelque qui quoi raconté retiens retire retirer sa sais ses si son sont "
    "souviens stp suis supprime supprimer supprimes sur ta te tes toi ton tu un une vais venais veux viens vos "
    "votre voudrais vous y à ça écrit était être",
    "it": "avresti dovevi dovuto la nulla sapere sentire sentirla sentirlo sentito "
    "a ad adesso agli ai al alla anche appena cancella cancellalo cancellare che chi ci ciò col cosa cose così "
    "dal dalla dalle degli dei del della delle detto devi di dimentica dimenticalo dimenticare dimenticarlo dire "
    "dove e elimina eliminalo eliminare faccenda fai fare favore fra gli ha hai ho i il io lascia lei lo loro lui "
    "ma meglio memorizzare memorizzarlo messaggio mi mia mie miei mio ne nel nella niente noi non nostra nostro o "
    "ora per perché però piacere più poco potresti prego puoi pure quando quel quella quelle quelli quello questa "
    "queste questi questo registrare registrarlo ricordare ricordarlo ricordartelo ricordi riguarda sai salva "
    "salvare salvarlo scorda scordalo scordatelo scordati scritto se sei senza serve si sono storia su sua sul "
    "sulla suo ti togli toglilo tra tua tue tuo va vi voglio vorrei è",
}  # fmt: skip
SWEEPING = frozenset(
    {
        "all", "any", "anything", "every", "everything", "whatever", "alle", "alles", "sämtliche", "todo", "todos",
        "toda", "todas", "tous", "tout", "toute", "toutes", "tutta", "tutte", "tutti", "tutto", "ogni",
    }
)  # fmt: skip
_LANGUAGES = [frozenset(words.split()) for words in _SMALL.values()]
_WORD = re.compile(r"[^\W_]+")
MIN_PREFIX = 3  # letters that two words must begin with to be one
MAX_ENDING = 3  # letters by which a word may be longer than its like: "dog", "dogs"
SAME_SHARE = 0.6  # of the longer word's letters with which both begin: "favourite", "favorite"
MIN_PART = 4  # letters of a word that may be part of a compound: „Knie“, „Knieprobleme“


def named_words(text: str) -> frozenset[str]:
    """The words of a request that name what it is about; none where it points to what was just said.

    It is in the language that leaves the fewest: "son" names somebody in English, nobody in French.
    """
    words = frozenset(_words(write_apostrophes(text)))
    left = [words - small for small in _LANGUAGES]
    return min(left, key=len)


def find_named(named: Collection[str], text: str) -> frozenset[str]:
    """Those of these words that stand in a text, whatever their endings."""
    words = {_fold(word) for word in _words(text)}
    return frozenset(name for name in named if any(is_same_word(_fold(name), word) for word in words))


def share_named(named: Collection[str], text: str) -> float:
    """The share of these words that stand in a text, 0 to 1; 0 where there are none."""
    return len(find_named(named, text)) / len(named) if named else 0.0


@lru_cache(KEPT_WORDS)
def is_same_word(one: str, other: str) -> bool:
    """Whether two words are one, but for their endings, their spelling, or as a part of a compound."""
    short, long = sorted((one, other), key=len)
    if short == long or any(letter.isdigit() for letter in long):
        return short == long
    bare = short.rstrip("aeiosy") if len(short) > MIN_PREFIX else short
    if len(bare) >= MIN_PREFIX and long.startswith(bare) and len(long) - len(bare) <= MAX_ENDING:
        return True
    if len(short) >= MIN_PART and (long.startswith(short) or long.endswith(short)):
        return True
    alike = count_alike(short, long)
    return alike > MIN_PREFIX and alike >= SAME_SHARE * len(long)


def count_alike(one: str, other: str) -> int:
    """Letters with which both words begin."""
    same = (index for index, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1])
    return next(same, min(len(one), len(other)))


def _words(text: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(unicodedata.normalize("NFC", text))]


@lru_cache(KEPT_WORDS)
def _fold(word: str) -> str:
    """Without accents, and British spelling as American: "favourite" and "favorite" are one."""
    return without_accents(word).replace("ou", "o")
