"""What is over by what a sentence tells, though it reads little like an end: who left the firm, was made more, moved
to another tool, let something lapse, or had the cast taken off.
"""

import pytest

from nebo.reading.meaning.reader import read_text
from nebo.reading.relations.judging import CLEAR
from nebo.reading.relations.said_parts import judge_said


def is_over(known: str, said: str) -> bool:
    judged = [judge_said(known, sentence) for sentence in read_text(said).sentences]
    return any(kind in ("changes", "ends") and chance >= CLEAR for kind, chance in judged)


@pytest.mark.parametrize(
    ("known", "said"),
    [
        ("Makesh is the user's line manager", "Makesh left the company last Friday"),
        ("Torsten leitet die Buchhaltung", "Torsten hat die Firma zum Quartalsende verlassen"),
        ("Priya runs the warehouse team", "Priya has left the business"),
        ("Rosa lleva la contabilidad", "Rosa ha dejado la empresa"),
        ("Tomás es mi jefe", "Tomás se ha ido de la empresa"),
        ("Claire est ma responsable", "Claire a quitté la boîte la semaine dernière"),
        ("Gianni è il mio capo", "Gianni ha lasciato l'azienda"),
        ("Grace is my manager", "Grace left the charity at the end of May"),
        ("Lucía dirige el departamento", "Lucía se marchó de la empresa en enero"),
        ("Wilma ist meine Chefin", "Wilma hat den Verlag verlassen"),
        ("Paul est mon chef", "Paul ne travaille plus chez nous"),
    ],
)
def test_who_has_left_the_firm_does_no_work_there(known: str, said: str) -> None:
    assert is_over(known, said)


@pytest.mark.parametrize(
    ("known", "said"),
    [
        ("Makesh is the user's brother-in-law", "Makesh left the company last Friday"),
        ("Makesh lives in Leeds", "Makesh left the company last Friday"),
        ("Makesh plays chess with the user", "Makesh left the company"),
        ("Owen is my best friend", "Owen left the company"),
        ("Makesh is the user's line manager", "Makesh left the office early today"),
        ("Makesh is the user's line manager", "Makesh left the team a note"),
        ("Makesh is the user's line manager", "Makesh left the party at ten"),
        ("Makesh is the user's line manager", "Joanna left the company"),
        ("Makesh is the user's line manager", "Makesh might leave the company"),
        ("Priya runs the warehouse team", "Would Priya leave the company?"),
        ("Wilma mag keinen Kaffee", "Wilma hat den Verlag verlassen"),
        ("Torsten leitet die Buchhaltung", "Torsten hat das Büro heute früh verlassen"),
        ("Lucía dirige el departamento", "Lucía no ha dejado la empresa"),
        ("Sizwe is the head of design", "Sizwe left the company car at mine"),
    ],
)
def test_what_else_somebody_is_and_who_is_back_tomorrow_stays(known: str, said: str) -> None:
    assert not is_over(known, said)


@pytest.mark.parametrize(
    ("known", "said"),
    [
        ("I'm a trainee cook at the Blue Heron.", "they've made me sous chef, starting today!"),
        ("I'm an apprentice joiner at Webb's", "I got promoted to foreman last week"),
        ("Works as an assistant editor", "I've been made editor"),
        ("Ich bin Azubi im Autohaus Kern", "Ich bin zum Werkstattleiter befördert worden"),
        ("Ich bin stellvertretende Filialleiterin", "Mich haben sie zur Filialleiterin gemacht"),
        ("Soy becaria en una editorial", "me han hecho encargada de producción"),
        ("Soy ayudante de cocina", "me han nombrado jefe de cocina"),
        ("Je suis stagiaire dans une agence", "j'ai été nommée responsable de projet"),
        ("I'm an intern at a radio station", "they've just made me assistant editor"),
    ],
)
def test_whoever_was_made_more_is_learning_no_longer(known: str, said: str) -> None:
    assert is_over(known, said)


@pytest.mark.parametrize(
    ("known", "said"),
    [
        ("I'm a maths teacher in Leeds", "they've made me head of maths"),
        ("I'm a trainee cook at the Blue Heron.", "they made me a cake for my birthday"),
        ("I'm a trainee cook at the Blue Heron.", "they made me captain of the football team"),
        ("I'm a trainee cook at the Blue Heron.", "they made me laugh all shift"),
        ("I'm a trainee cook at the Blue Heron.", "my brother got promoted to head chef"),
        ("My sister is a trainee cook", "they've made me sous chef"),
        ("I'm an apprentice joiner", "I might get promoted to foreman"),
        ("I'm a junior designer at Plum", "got promoted!!"),
        ("I'm a junior designer at Plum", "nobody's made me lead designer yet"),
        ("Ich bin Praktikantin bei einem Verlag", "meine Schwester ist zur Leiterin befördert worden"),
        ("Soy becaria en una editorial", "mi hermana es encargada de producción"),
    ],
)
def test_who_was_made_nothing_more_at_work_is_what_they_were(known: str, said: str) -> None:
    assert not is_over(known, said)


@pytest.mark.parametrize(
    ("known", "said"),
    [
        ("I'm a junior surveyor at Pell & Marsh.", "got promoted! senior surveyor as of today"),
        ("I'm a junior developer at Flink", "they bumped me up to senior"),
        ("I'm a junior developer at Flink", "I've gone from junior to senior this spring"),
        ("I'm a junior developer at Flink", "finally made senior!"),
        ("I'm a junior developer at Flink", "my title is senior developer now"),
        ("I'm a junior developer", "not a junior anymore, I'm mid-level now"),
        ("I'm an apprentice electrician", "I've qualified as an electrician"),
        ("I'm a trainee nurse at the Royal", "I'm a staff nurse now"),
        ("I'm a teaching assistant at Moss Lane", "I'm a teacher at Moss Lane now"),
        ("Ich bin Junior-Entwicklerin bei Flink", "Ich bin jetzt Senior-Entwicklerin"),
        ("Ich bin Junior-Entwicklerin bei Flink", "bin vom Junior zum Senior befördert worden"),
        ("Soy programador junior en Flink", "he pasado de junior a senior"),
        ("Soy programador junior en Flink", "ya soy programador senior"),
    ],
)
def test_who_is_of_another_rank_is_of_the_old_one_no_longer(known: str, said: str) -> None:
    assert is_over(known, said)


@pytest.mark.parametrize(
    ("known", "said"),
    [
        ("I'm a junior developer at Flink", "I work with a senior developer now"),
        ("I'm a junior developer at Flink", "my colleague is a senior developer now"),
        ("I'm a junior developer at Flink", "I want to be a senior developer"),
        ("I'm a junior developer at Flink", "we hired a senior developer"),
        ("I'm a junior developer at Flink", "I'm not a senior developer yet"),
        ("I'm a senior developer at Flink", "I was a junior developer once"),
        ("I'm an apprentice electrician", "my brother qualified as an electrician"),
        ("I'm an apprentice electrician", "I'm a keen cyclist now"),
        ("Ich bin Azubi zum Schreiner", "mein Bruder ist jetzt Geselle"),
        ("Soy programador junior en Flink", "mi jefe ha pasado de junior a senior"),
    ],
)
def test_another_rank_that_is_not_the_speakers_changes_nothing(known: str, said: str) -> None:
    assert not is_over(known, said)


@pytest.mark.parametrize(
    ("known", "said"),
    [
        ("Uses Notion for notes", "moved all my notes from Notion over to Obsidian last weekend"),
        ("We use Jenkins for builds", "we've migrated from Jenkins to GitLab"),
        ("Nutzt Evernote für Notizen", "Ich bin von Evernote auf Joplin umgestiegen"),
        ("Usa Evernote para las notas", "he pasado las notas de Evernote a Joplin"),
        ("Keeps recipes in Evernote", "switched over from Evernote to Paprika"),
        ("Rides a Trek to work", "swapped the Trek for a Brompton"),
        ("Utilise Gmail", "Je suis passé de Gmail à Proton"),
        ("We host the shop on Heroku", "we've switched from Heroku to Fly"),
        ("Nutzt Todoist für Aufgaben", "Bin mit meinen Aufgaben von Todoist zu Things gewechselt."),
    ],
)
def test_what_was_left_for_another_thing_is_over(known: str, said: str) -> None:
    assert is_over(known, said)


@pytest.mark.parametrize(
    ("known", "said"),
    [
        ("Uses Notion for notes", "I copied a page from Notion to Obsidian to try it"),
        ("Uses Notion for work", "I've moved my recipes from Notion to Obsidian"),
        ("Uses Notion for work", "my sister moved from Notion to Obsidian"),
        ("Uses Notion for notes", "I might move my notes from Notion to Obsidian"),
        ("Uses Notion for notes", "didn't move from Notion to Obsidian after all"),
        ("Uses Obsidian for notes", "moved all my notes from Notion over to Obsidian last weekend"),
        ("Has savings with Santander", "moved £200 from savings to the current account"),
        ("Rides a Trek to work", "swapped the saddle for a softer one"),
        ("Lives in Porto", "took the train from Porto to Lisbon"),
        ("Usa Trello", "Mi jefa ha cambiado de Trello a Notion"),
        ("Nutzt Photoshop", "Ich überlege, von Photoshop zu Affinity zu wechseln"),
    ],
)
def test_what_is_only_tried_or_left_by_others_stays(known: str, said: str) -> None:
    assert not is_over(known, said)


@pytest.mark.parametrize(
    ("known", "said"),
    [
        ("Subscribes to the Economist", "I let the Economist subscription lapse"),
        ("Has a gym membership in Leith", "let my gym membership run out"),
        ("Is a member of the National Trust", "I let the National Trust membership lapse in spring"),
        ("Hat ein Fitnessabo", "Ich habe das Fitnessabo auslaufen lassen"),
        ("Hat eine Jahreskarte für den Zoo", "Die Jahreskarte habe ich auslaufen lassen"),
        ("Es socio del Ateneo", "dejé caducar el carné de socio"),
        ("Est abonnée au Monde", "J'ai laissé expirer mon abonnement au Monde"),
        ("Has a domain, plumpie.co.uk", "let the plumpie domain lapse"),
    ],
)
def test_what_was_let_run_out_is_over(known: str, said: str) -> None:
    assert is_over(known, said)


@pytest.mark.parametrize(
    ("known", "said"),
    [
        ("Subscribes to the Economist", "I won't let the Economist subscription lapse"),
        ("Subscribes to the Economist", "my dad let his Economist subscription lapse"),
        ("Subscribes to the Economist", "I let the milk run out"),
        ("Subscribes to the Economist", "should I let the Economist subscription lapse?"),
        ("Is subscribed to Le Monde", "I let the Guardian subscription lapse"),
        ("Has a domain, plumpie.co.uk", "I'll let the plumpie domain lapse in March"),
        ("Pays for a Duolingo plan", "let me run out and get milk"),
        ("Lena subscribes to the Economist", "I let the Economist subscription lapse"),
    ],
)
def test_what_runs_on_stays(known: str, said: str) -> None:
    assert not is_over(known, said)


@pytest.mark.parametrize(
    ("known", "said"),
    [
        ("Trägt eine Zahnspange", "Die Zahnspange ist seit gestern draußen!"),
        ("Has a cast on the left arm", "the cast came off on Tuesday"),
        ("Wears braces", "my braces are finally off!!"),
        ("Has stitches in the knee", "stitches are out"),
        ("Hat Fäden am Kinn", "Die Fäden sind raus"),
        ("Lleva puntos en la rodilla", "me quitaron los puntos el lunes"),
        ("Lleva una escayola en el brazo", "me han quitado la escayola"),
        ("Porte un plâtre", "on m'a enlevé le plâtre"),
        ("Wears a sling on the right arm", "the sling's off at last"),
        ("Walks with crutches", "off the crutches since Monday!"),
        ("Geht an Krücken", "Ich brauche keine Krücken mehr"),
        ("Va con muletas", "ya no llevo muletas"),
    ],
)
def test_what_was_taken_off_is_worn_no_longer(known: str, said: str) -> None:
    assert is_over(known, said)


@pytest.mark.parametrize(
    ("known", "said"),
    [
        ("Wears braces", "my daughter's braces are off"),
        ("Wears braces", "braces come off in June"),
        ("Has a cast on the left arm", "the cast doesn't come off until May"),
        ("Has a cast on the left arm", "the cast itches like mad"),
        ("Wears a sling on the right arm", "is the sling off yet?"),
        ("Hat Fäden am Kinn", "Die Fäden kommen nächste Woche raus"),
        ("Hat einen Hund", "Der Hund ist draußen"),
        ("Walks with crutches", "my nan's off the crutches"),
        ("Walks with crutches", "not off the crutches yet"),
        ("Walks with crutches", "I come off the crutches in May"),
        ("Trägt eine Zahnspange", "Ich will keine Zahnspange mehr"),
        ("Wears hearing aids", "the hearing aids are out of battery"),
    ],
)
def test_what_is_still_on_stays(known: str, said: str) -> None:
    assert not is_over(known, said)


@pytest.mark.parametrize(
    ("known", "said"),
    [
        ("Kestrel launches on 9 June", "Kestrel is out since this morning"),
        ("Kestrel kommt erst am 9. Juni raus", "Kestrel is finally live, 300 sign-ups already"),
        ("El disco de Alba se publica el 3 de mayo", "¡El disco de Alba ya ha salido!"),
    ],
)
def test_what_was_to_come_out_is_out(known: str, said: str) -> None:
    assert is_over(known, said)


@pytest.mark.parametrize(
    ("known", "said"),
    [
        ("Kestrel launches on 9 June", "Kestrel is out of stock"),
        ("Kestrel launches on 9 June", "Kestrel isn't out yet"),
        ("Kestrel launches on 9 June", "Osprey is out now"),
        ("Kestrel launches on 9 June", "is Kestrel out already?"),
    ],
)
def test_what_isnt_out_is_still_to_come(known: str, said: str) -> None:
    assert not is_over(known, said)
