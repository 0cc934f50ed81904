"""Words that seldom stand in a sentence unless it is about a sensitive matter, in the five languages that are read.

They never decide alone where the multilingual encoder reads: "rabbi-like patience" has one, too. They tell what to look
at more closely, and are all there is to go by without that encoder.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from nebo.reading.sensitive.kinds import SensitiveClass

_STEMS: Mapping[SensitiveClass, str] = {
    "health": r"diabet\w*|cancers?|chemo\w*|tumou?rs?|leuk\w+|epilep\w*|asthma\w*|hiv|aids|bipolar\w*"
    r"|depress(?:ed|ion)|antidepress\w*|sertraline|lithium|insulin[ae]?|psychiatr\w+|schizophren\w*"
    r"|autis[mt]\w*|asperger\w*|adhd|ptsd|anorexi\w*|bulimi\w*|migraines?|dementia|alzheimer\w*"
    r"|parkinson\w*|strokes?|pregnant|pregnancy|miscarriage|ivf|abortion|disabilit\w+|wheelchair"
    r"|allergic|allerg(?:y|ies)|diagnos\w+|therapist|rehab|sobriety|coeliac|celiac|crohn\w*"
    r"|penicillin\w*|medication|biops\w+|surgery|pacemaker|krebs\w*|tumor\w*|schlaganfall|schwanger\w*"
    r"|fehlgeburt|abtreibung|depression\w*|burnout|dement|demenz|behinder\w*|schwerbehindert\w*"
    r"|allergi\w+|essstörung|rheuma|blutdruck\w*|alkoholiker\w*|embaraz\w*|infarto|cáncer|ansiedad"
    r"|depresión|discapacidad|esclerosis|alzhéimer|asma|vih|aborto|quimio\w*|alérgic\w+|diagn[oó]stic\w+"
    r"|enceinte|fausse couche|avortement|séropositi\w+|dépressi\w+|handicapée?s?|sclérose|diabète"
    r"|diabétique|allergique|asthmatique|chimio\w*|incinta|ictus|sclerosi|depressione|celiac[oaie]"
    r"|emicrani[ae]|tumore|disabil\w+|allergic[oaie]|sieropositiv\w+|attacchi di panico",
    "religion": r"catholics?|protestants?|muslims?|islam\w*|jewish|jews?|judaism|hindus?|buddhis[mt]s?|sikhs?"
    r"|mormons?|atheis[mt]s?|agnostics?|baptis(?:ed|m)|baptized|synagogue|mosque|ramadan|kosher|halal"
    r"|hijab|sabbath|confession|jehovah\w*|evangelicals?|quran|torah|lent|katholi\w+|evangelisch\w*"
    r"|muslim\w*|moslem\w*|jüdisch\w*|jude|jüdin|buddhist\w*|atheist\w*|getauft|konfirm\w+|sabbat"
    r"|kirchenaustritt|zeugen? jehovas|gläubig\w*|nonne|católic\w+|musulm\w+|judí[oa]s?|budist\w*"
    r"|ate[oa]s?|evangélic\w+|protestantes?|misa|testigos? de jehová|catholiques?|juif|juive|juifs"
    r"|bouddhiste\w*|athée?s?|messe|témoins? de jéhovah|pratiquante?s?|cattolic\w+|mussulman\w+"
    r"|ebre[oaie]|buddist\w*|valdes[ei]|messa|testimoni di geova|battezzat\w+",
    "politics": r"conservatives?|labour party|democrats?|republicans?|tory|tories|socialis[mt]s?|communis[mt]s?"
    r"|fascis[mt]s?|libertarian|far[- ]right|far[- ]left|left[- ]wing|right[- ]wing|trade union"
    r"|union (?:rep|member|branch)|shop steward|canvass\w*|voted|protests?|spd|cdu|csu|fdp|afd|grünen"
    r"|linken?|gewerkschaft\w*|verdi|ig metall|kommunist\w*|sozialist\w*|reichsbürger|demo|psoe|podemos"
    r"|vox|sindica\w+|comisiones obreras|ugt|militan\w+|comunistas?|socialistas?|independentistas?"
    r"|votad?o|voté|cgt|cfdt|syndic\w+|milite|communistes?|socialistes?|insoumis|écologistes?|le pen"
    r"|cgil|cisl|uil|sindacal\w+|lega|fratelli d['’]italia|comunist[aei]|socialist[aei]|votato",
    "sexuality": r"gay|lesbian|bisexual|asexual|homosexual|queer|transgender|trans (?:wo)?man|non-?binary"
    r"|transition(?:ing|ed)|sexual orientation|libido|sex work|kink|open (?:marriage|relationship)"
    r"|came out|schwul\w*|lesbisch\w*|lesbe|bisexuell\w*|asexuell\w*|homosexuell\w*|geoutet"
    r"|offene beziehung|lesbiana|homosexual\w*|lesbiennes?|bisexuel\w*|asexuel\w*|homosexuel\w*|lesbica"
    r"|bisessual\w*|asessual\w*|omosessual\w*|mujer trans|femme trans|uomo trans|donna trans"
    r"|puberty blockers",
    "ethnicity": r"mixed[- ]race|biracial|ethnic\w*|aboriginal|m[āa]ori|cherokee|romani|gypsy|gypsies|travellers?"
    r"|ashkenazi\w*|sephardi\w*|kurds?|kurdish|tamil|pashtun|black (?:wo)?man|black person"
    r"|of \w+ descent|sinti\w*|roma|kurd\w+|schwarze[rn]?|volksgruppe|sorb(?:e|in|isch)|wurzeln"
    r"|gitan[oa]s?|mestiz[oa]s?|afrodescendientes?|mapuches?|quechuas?|sefard[íi]\w*|de origen"
    r"|métisse?s?|kabyles?|berbères?|d['’]origine|femme noire|homme noir|rom|curd[oaie]|armen[oaie]"
    r"|di origine|donna nera|uomo nero",
    "finances": r"in debt|debts|bankrupt\w*|salary|overdraft|mortgage|bailiffs?|universal credit|food stamps"
    r"|inherit\w+|net worth|credit score|child support|savings|schulden|gehalt|privatinsolvenz|insolvenz"
    r"|bürgergeld|hartz|gerichtsvollzieher|gepfändet|schufa\w*|geerbt|netto|brutto|deudas?|hipoteca"
    r"|embargad\w+|sueldo|salario|hered[óé]|paro|dettes?|surendett\w+|smic|rsa|huissier|découvert"
    r"|salaire|hérité|interdit bancaire|debiti|stipendio|pignorat\w+|mutuo|ereditat\w+"
    r"|reddito di cittadinanza",
    "crime": r"convicted|conviction|arrested|probation|prison|jail|criminal record|suspended sentence|shoplift\w*"
    r"|on bail|parole|restraining order|burglary|charged with|drink driving|dui|felony|vorbestraft\w*"
    r"|bewährung|gefängnis|knast|strafverfahren|strafbefehl|angezeigt|verurteilt|fußfessel"
    r"|beschuldigte[rn]?|antecedentes penales|cárcel|prisión|condenad[oa]s?|detenid[oa]|detuvieron"
    r"|libertad condicional|casier judiciaire|garde à vue|sursis|condamnée?s?|precedenti penali|carcere"
    r"|condannat\w+|arrestat\w+|arresti domiciliari|libertà vigilata",
}
WORDS: Mapping[SensitiveClass, re.Pattern[str]] = {
    name: re.compile(rf"\b(?:{words})\b", re.IGNORECASE) for name, words in _STEMS.items()
}


def find_worded(text: str) -> frozenset[SensitiveClass]:
    """The classes of which a text has a word."""
    return frozenset(name for name, words in WORDS.items() if words.search(text))
