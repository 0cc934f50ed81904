"""What somebody makes of what was just proposed: it is over once they have chosen, and then they say so.

"The second tent sounds like a good fit", "the long warranty is a big plus", "I'll check out both": true when it is
said, and no fact about anybody a week later. "I bought the second tent" is one.
"""

from __future__ import annotations

import re

_GOOD = (
    r"(?:good|great|solid|perfect|best|right|ideal|decent|strong|better|fine|smart|nice|reasonable|excellent)"
)
_CHOICE = r"(?:fit|choice|option|idea|match|bet|pick|solution|deal|value|starting point|approach|compromise)"
_VERDICT = re.compile(
    r"\b(?:sounds?|seems?|looks?|(?:would|might|could) be)(?: like| to be)?(?: an?| the)?(?: \w+ly| very| quite)? "
    rf"{_GOOD}(?: [\w-]+)? {_CHOICE}\b"
    r"|\bsounds? (?:promising|perfect|ideal)\b"
    r"|\b(?:is|are) (?:such )?an? (?:big|huge|real|major|definite) plus(?:es)?\b"
    r"|\b(?:has|have|['’]s|['’]ve) been (?:so |such |really |very |a |an |truly |pretty |quite )*(?:great"
    r"|good|amazing|awesome"
    r"|wonderful|fun|fantastic|nice|eye-opening|rewarding|inspiring|tough|hard|crazy|a blast|a lot)"
    r"(?: (?:experience|addition|journey|ride|time|help))?(?: (?:to|for|in) (?:me|my life|us))?\W*(?:$"
    r"|since (?:then|(?:I|we) last)\b|lately\b)"
    r"|\b(?:klingt|scheint|wirkt|wäre|sieht)\b[^,;]{0,40}\b(?:gute|beste|richtige|perfekte|passende"
    r"|vernünftige)[nrs]? "
    r"(?:Wahl|Option|Idee|Lösung|Möglichkeit|Alternative)\b"
    r"|\b(?:parece|suena a|sería)(?: ser)? (?:una?|la|el) (?:muy )?(?:buena?|mejor|gran) "
    r"(?:opción|elección|idea|solución)\b"
    r"|\b(?:semble|paraît|serait)(?: être)? (?:une?|la|le) (?:très )?(?:bonn?e?|meilleure?) "
    r"(?:choix|option|idée|solution)\b"
    r"|\b(?:sembra|pare|sarebbe)(?: essere)? (?:una?|la|il) (?:buona?|buon|migliore|ottima) "
    r"(?:scelta|opzione|idea|soluzione)\b",
    re.IGNORECASE,
)
_INTENDS = re.compile(
    r"(?:(?:I think|and|so|then|maybe) )*I['’]ll (?:\w+ly |also |just |then )*(?:make sure to|check out|look into"
    r"|look at"
    r"|take a look|keep (?:an eye on|exploring|experimenting|looking|in mind)|give (?:it|that|them|this|both)"
    r"|start by|focus on|try (?:out|using)|go with|compare)\b"
    r"|Ich (?:schaue|sehe) mir (?:das|beide|die beiden|mal)\b.*\ban\b"
    r"|Ich (?:werde|will)\b.*\b(?:ausprobieren|anschauen|vergleichen|im Auge behalten)\W*$"
    r"|(?:Voy a|Le) (?:echar(?:é)? un vistazo|mirar|probar)\b|Je vais (?:essayer|regarder|jeter un œil|comparer)\b"
    r"|(?:Darò|Do) un['’]occhiata\b",
    re.IGNORECASE,
)

# A choice that is not made yet, and trouble that is being looked into.
_MUSES = re.compile(
    r"I(?:['’]m| am|['’]ve been| have been) (?:\w+ ){0,2}?(?:trying to (?:decide|choose|figure out|work out"
    r"|understand|debug)|torn between|considering (?:how|whether|if)|(?:experiencing|having) (?:\w+ )?"
    r"(?:issues|problems|trouble|errors|difficult\w+)"
    r"|using [^,;]{2,60}? to (?:debug|profile|track down|troubleshoot)\b)"
    r"|(?:And |So |But )?I(?:['’]d like| would like| want|['’]m trying| am trying|['’]m looking| just want"
    r"| also want) to (?:also )?"
    r"(?:make sure|ensure|know (?:how|if|whether|what|why)|understand|see (?:if|how|whether)|verify"
    r"|double-check|get your)\b"
    r"|(?:And |So |But )?(?:I|we) (?:just |also |really )?(?:need|have) to (?:make sure|ensure|double-check)\b"
    r"|Ich (?:will|möchte|muss) (?:nur |auch )?(?:sicherstellen|sichergehen|wissen,|verstehen,)"
    r"|Quiero (?:asegurarme|saber (?:si|cómo)|entender)\b"
    r"|Je (?:veux|voudrais) (?:m['’]assurer|savoir (?:si|comment)|comprendre)\b|Voglio (?:assicurarmi"
    r"|sapere se|capire)\b"
    r"|Ich (?:überlege|grüble)(?: \w+)?,? (?:ob|wie|welche\w?)\b"
    r"|Ich versuche(?: \w+)?,? (?:mich )?(?:zu entscheiden|herauszufinden)"
    r"|Ich schwanke\b|Estoy (?:intentando|tratando de) (?:decidir|elegir|entender)\b"
    r"|Estoy pensando (?:si|cómo)\b|Dudo entre\b"
    r"|J['’]essaie de (?:décider|choisir|comprendre)\b|Je me demande\b|J['’]hésite entre\b"
    r"|Sto cercando di (?:decidere|scegliere|capire)\b|Mi chiedo\b|Sono indecis[oa] tra\b",
    re.IGNORECASE,
)


_SETTLED = re.compile(
    r"\b(?:(?:it|that)(?:['’]s| is) (?:decided|settled|final)|decision(?:['’]s| is) (?:made|final)"
    r"|(?:das|es) (?:ist|steht) (?:jetzt |nun )?(?:beschlossen|entschieden|fest)|beschlossene sache"
    r"|(?:ya )?está decidido|decidido está|c['’]est décidé|è deciso)\b",
    re.IGNORECASE,
)


def is_musing(clause: str) -> bool:
    """Whether somebody only says what they are still making up their mind about, or what doesn't work just now."""
    return _MUSES.match(clause) is not None


def is_verdict(clause: str) -> bool:
    """Whether a clause only says what somebody thinks of a proposal, or that they will look at it."""
    return _INTENDS.match(clause) is not None or _VERDICT.search(clause) is not None


def is_settled(text: str) -> bool:
    """Whether somebody says outright that something is decided: „…, das ist beschlossen“."""
    return _SETTLED.search(text) is not None
