"""Small words by language that a claim may add to what was said, and words for kin, which it may not.

A claim tells in the third person what somebody said: "Works at Norrbro" of "I'm over at Norrbro". The verbs of such
telling carry no claim of their own; what is liked or not, and what has ended, is told apart by polarity.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from nebo.reading.words.kept import KEPT_WORDS
from nebo.reading.words.stop_words import words

_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)?")
_TELLING = {
    "en": """
        fond home
        am is are was were be being been's 's has have had having does do did done doing go goes going gone get
        gets got live lives lived living reside resides work works worked working use uses using used like likes
        liked love loves prefer prefers preferred preference enjoy enjoys hate hates dislike dislikes want wants
        wanted wish wishes would user users person speaker someone somebody he she they him her his hers them
        their theirs its it who whose which that this these those there here name named names call called calls
        known old age aged year years month months week weeks day days currently now still already recently
        since ago from with without for of in on at by to into onto as an a the and or but so than then very
        quite really also too just only about around over through not no never longer anymore more any some all
        both can cannot could may might must should shall will need needs make makes made take takes took keep
        keeps decided decide decides decision choose chose chosen settled set plans planning planned intends
        type kind sort thing things something anything way own time times answer answers reply replies response
        responses asked ask asks said says told tells located based place staying stays stay having tend tends
        usually often always sometimes bit lot i me my mine we us our you your if because while when where what
        how up out off down again one ones new other another such per each speak speaks eat eats eating drink
        drinks drinking has'nt doesn't don't isn't wasn't didn't can't won't i'm i've i'd i'll it's that's
        there's we're we've they're let's s t m ve re ll d don doesn isn didn won wasn able allowed former
        formerly previously past end ends ended leave leaves left quit stopped
    """,
    "de": """
        bin bist ist sind war waren sein seine seinen seinem seiner wurde wird werden habe hab hat hast haben
        hatte nutzer nutzers nutzerin person benutzer heißt heißen heiße namens name wohne wohnt wohnen lebe
        lebt leben arbeite arbeitet arbeiten mag mögen liebe liebt bevorzugt bevorzuge hasst hasse will wollen
        möchte wünscht jahre jahr jahren alt jung tag tage monat monate woche wochen seit vor jetzt noch schon
        derzeit aktuell er sie es ihr ihre ihren ihrem ihrer ihm ihn der die das den dem des ein eine einen
        einem einer und oder aber in im an am auf aus bei beim bis durch für gegen mit nach ohne um unter von
        vom zu zum zur über als wie dass nicht kein keine keinen keinem keiner nie mehr kann können muss müssen
        soll sollte darf werden isst esse essen trinkt trinke trinken spricht spreche gern gerne lieber sich
        mich mir dich dir ich du wir uns unser unsere mein meine meinen meinem meiner auch nur sehr ganz
        entschieden entscheidung antworten antwort da dort hier wer was hat's ja früher ehemals
    """,
    "es": """
        soy eres es somos son era fue ser estoy está están estar sido he ha han había tengo tiene tenemos tienen
        tener usuario usuaria persona llamo llama llamado llamada nombre vivo vive vivimos viven vivir resido
        reside trabajo trabaja trabajan trabajar gusta gustan encanta prefiero prefiere odio odia quiero quiere
        quieren años año mes meses semana semanas día días desde hace ahora ya todavía aún actualmente él ella
        ellos su sus suyo mi mis tu tus el la los las lo un una unos unas y e o pero de del en a al con sin por
        para como que se me te le les no ni nunca más puede puedo debe debo come como comer bebe bebo habla
        hablo muy también solo decidió decidimos decidido decisión respuestas respuesta nos nuestro nuestra yo
        nosotros este esta eso tengo antes
    """,
    "fr": """
        suis es est sommes sont était été être ai as a avons ont avait avoir utilisateur utilisatrice personne
        appelle appelé nommé nom prénom habite habitent habites habitez vis vit vivre travaille travaillent
        bosse aime aiment adore préfère déteste veux veut voudrait souhaite ans an année mois semaine
        jour jours depuis il y maintenant encore déjà actuellement elle ils elles lui son sa ses leur leurs
        mon ma mes ton ta tes le la
        les l un une des de du d et ou mais en à au aux avec sans par pour comme que qui se me te ne n pas plus
        jamais non peut peux doit dois mange manger bois boit parle parler très aussi c ce cette ça j je tu on
        nous notre nos décidé décision réponses réponse chez dans sur s qu y avant anciennement faut
    """,
    "it": """
        sono sei è siamo era stato stata essere ho hai ha abbiamo hanno aveva avere utente persona chiamo chiama
        chiamato chiamata nome abito abita abitano vivo vive vivono vivere lavoro lavora lavorano lavorare
        faccio fa piace piacciono amo ama preferisco preferisce odio odia voglio vuole vorrebbe anni anno mese
        mesi settimana giorno giorni da dal dalla fa ora adesso ancora già attualmente lui lei loro suo sua suoi
        sue mio mia miei mie tuo tua il lo la i gli le l un uno una e o ma di del della dei in nel nella a al
        alla con senza per come che si mi ti ci vi non mai più può posso deve devo mangia mangio beve bevo parla
        parlo molto anche solo deciso decisione risposte risposta noi nostro nostra io tu c d ne prima
    """,
}  # fmt: skip
LIGHT: Mapping[str, frozenset[str]] = {name: words(text) for name, text in _TELLING.items()}

# Whoever is meant by one word of a line is meant by the others; "partner" is any of them.
_KIN = """
mother mum mom mam mama mutter mutti madre mamá mère maman mamma
father dad papa vater padre papá père babbo papà
sister schwester hermana sœur soeur sorella
brother bruder hermano frère fratello
son sohn hijo fils figlio
daughter tochter hija fille figlia
child children kid kids kind kinder niño niña niños hijos nena nene enfant enfants gosse bambino bambini figli
wife missus frau ehefrau esposa mujer femme épouse moglie
husband hubby mann ehemann marido esposo mari marito
girlfriend freundin novia copine petite-amie ragazza fidanzata
boyfriend bloke fella freund novio copain petit-ami mec ragazzo fidanzato
partner partnerin lebensgefährte pareja compagnon compagne conjoint compagno compagna
fiancé fiancée verlobter verlobte prometido prometida fidanzato fidanzata
grandmother grandma granny nan gran nana oma großmutter abuela grand-mère mamie nonna
grandfather grandpa grandad opa großvater abuelo grand-père papi nonno
aunt tante tía zia
uncle onkel tío oncle zio
cousin cousine vetter primo prima cugino cugina
niece nichte sobrina nièce nipote
nephew neffe sobrino neveu nipote
grandson enkel nieto petit-fils nipotino
granddaughter enkelin nieta petite-fille nipotina
grandchild grandchildren grandkids enkelkind enkelkinder enkel nietos petits-enfants nipotini
friend friends mate buddy freund freundin freunde amigo amiga amigos ami amie amis amico amica amici
boss manager chef chefin vorgesetzte vorgesetzter jefe jefa patron patronne capo
colleague colleagues coworker kollege kollegin compañero compañera colega collègue collega
neighbour neighbor nachbar nachbarin vecino vecina voisin voisine vicino vicina
flatmate roommate housemate mitbewohner mitbewohnerin coloc colocataire coinquilino coinquilina
parents eltern padres parents genitori
landlord vermieter casero propriétaire padrone
teacher lehrer lehrerin profesor profesora professeur insegnante maestro
twins triplets zwillinge drillinge gemelos gemelas mellizos jumeaux jumelles gemelli gemelle
ex exmann exfrau ex-mann ex-frau exmarido exmujer ex-husband ex-wife ex-mari ex-femme
"""
KIN = tuple(frozenset(line.split()) for line in _KIN.strip().splitlines())
# Who was a girlfriend may be a wife by now: another word is not another person.
_PARTNERS = frozenset[str]().union(*KIN[7:13])
_NOT_FAMILY = frozenset[str]().union(*KIN[7:13], *KIN[23:28], *KIN[29:])
# A wider word that a narrower one supports: a son is a child, a wife a partner.
_WIDER = {
    "child": "son daughter twins",
    "grandchild": "grandson granddaughter",
    "partner": "wife husband girlfriend boyfriend",
    "parents": "mother father",
}


@lru_cache(KEPT_WORDS)
def kin_of(word: str) -> frozenset[str]:
    """The words that mean the same relative or friend; empty where the word means none."""
    return frozenset().union(*(group for group in KIN if word in group))


def stands_for_kin(claimed: str, quoted: str) -> bool:
    """Whether a word for kin that was said supports another one: mum a mother, a son a child."""
    if kin_of(claimed) & kin_of(quoted):
        return True
    wider = (name for name in _WIDER if name in kin_of(claimed))
    return any(kin_of(quoted) & frozenset(_WIDER[name].split()) for name in wider)


def names_family(text: str) -> set[str]:
    """The words of a text for relatives, but for those of partners, friends and others whom a name may mean as well."""
    return {word for word in _WORD.findall(text.lower()) if kin_of(word) - _NOT_FAMILY}


def names_other_kin(one: str, other: str, *, family: bool = False) -> bool:
    """Whether both texts name relatives or friends, and no word of one can mean whom the other names; `family`: of
    relatives alone, since a friend may become a flatmate, and a colleague the boss.
    """
    may_change = _NOT_FAMILY if family else _PARTNERS
    ours, theirs = (
        {word for word in _WORD.findall(text.lower()) if kin_of(word) - may_change} for text in (one, other)
    )
    both = [(a, b) for a in ours for b in theirs]
    return bool(both) and not any(stands_for_kin(a, b) or stands_for_kin(b, a) for a, b in both)


# Verbs of telling that tie somebody to a place, a firm or a thing: small words, and yet a claim of their own.
TIES: Mapping[str, frozenset[str]] = {
    "home": words(
        """
        live lives lived living reside resides based home moved moving settled wohne wohnt wohnen gewohnt lebe
        lebt leben gezogen umgezogen ziehe vivo vives vivís vive vivimos viven resido mudé mudado mudamos habite
        habitons habitent habites habitez vis vit vivons installé installée déménagé emménagé abito abiti vivi
        abita abitiamo viviamo trasferito trasferita trasferiti
        """
    ),
    "work": words(
        """
        work works worked working job employed employer arbeite arbeitest arbeitet arbeiten gearbeitet job
        stelle angestellt trabajo trabajas trabaja trabajamos curro dedico empleo travaille travailles
        travaillons bosse bosses fais boulot poste embauché embauchée lavoro lavori faccio fai lavora lavoriamo
        impiego assunto assunta
        """
    ),
    "have": words(
        """
        have has had having 've got own owns owned with my our bought adopted got habe haben hat besitze mit
        mein meine meinen meinem unser unsere tengo tenemos tiene con mi mis nuestro nuestra compré adopté
        adoptamos ai avons avec mon ma mes notre nos acheté ho abbiamo possiedo mio mia miei mie nostro nostra
        comprato adottato ve
        """
    ),
    "like": words(
        """
        like likes liked love loves loved enjoy enjoys prefer prefers favourite favorite fan adore adores fond
        obsessed addicted eat eats ate eaten eating drink drinks drank drunk drinking cook cooks take takes took
        play plays played playing gern gerne lieber liebsten liebling lieblings mag mögen magst liebe lieben liebt
        esse essen isst gegessen trinke trinken trinkt getrunken spiele spielen spielt gespielt schmeckt gusta
        gustan encanta encantan prefiero prefiere adoro favorito favorita como comes come comemos comer bebo bebe
        bebemos tomo juego jugamos jugar toco toca tocar aime aimons adore préfère préféré préférée mange manges
        mangeons manger bois boit buvons boire prends joue jouons jouer piace piacciono amo preferisco preferito
        preferita mangio mangia mangiamo mangiare bevo beve beviamo bere gioco gioca giochiamo suono suona
        """
    ),
}
TIED: Mapping[str, frozenset[str]] = {
    "home": words(
        "home live lives living reside resides wohnt wohne lebt vive vivo resido habite vit abita vive"
    ),
    "work": words(
        "works work working employed arbeitet arbeite trabaja trabajo travaille bosse lavora lavoro"
    ),
    "have": words("has have owns got hat besitzt tiene tengo possède ha ho"),
    "like": words(
        "likes loves enjoys eats drinks plays mag liebt isst trinkt spielt gusta encanta bebe"
        " juega toca aime mange boit joue piace ama mangia beve gioca suona"
    ),
}
