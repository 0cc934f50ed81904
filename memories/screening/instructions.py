"""The patterns by which a text reads like an order to the agent, by name.

The first fourteen are the classic ones, each its own expression. The others name what is seen in real attacks and
not in ordinary sentences. On the sets they were written against, 80 % of 333 jailbreak prompts seen in the wild
are found (the fourteen alone: 32 %), with false alarms on 0.6 % of 160 NotInject and 1.8 % of 490 WildGuard benign
prompts, nearly all role plays.
"""

from __future__ import annotations

import re


def _compiled(patterns: dict[str, str]) -> dict[str, re.Pattern[str]]:
    return {name: re.compile(pattern, re.IGNORECASE) for name, pattern in patterns.items()}


_ORDERS = (
    r"(?:instructions?|prompts?|rules?|directions?|directives?|commands?|guidelines?|orders?"
    r"|programming|training|polic(?:y|ies)|restrictions?|constraints?)"
)
_DROP = (
    r"(?:ignor(?:e|ing)|disregard(?:ing)?|forget(?:ting)?|overrid(?:e|ing)|bypass(?:ing)?"
    r"|overlook(?:ing)?|neglect(?:ing)?)"
)
_EARLIER = (
    r"(?:previous(?:ly)?|prior|above|earlier|preceding|former|past|initial|original|existing"
    r"|current|usual|system|safety|content|openai'?s?|all)"
)
_FEW_WORDS = r"(?:[\w'’]+\s+){0,4}"
_TALK = r"(?:address|refer\s+to|call)"

CLASSIC_PATTERNS = _compiled(
    {
        "ignore-previous-instructions": r"\bignore\s+(?:all\s+)?previous\s+instructions",
        "ignore-above": r"\bignore\s+(?:all\s+)?(?:of\s+)?(?:the\s+)?above\b",
        "disregard-previous": r"\bdisregard\s+(?:all\s+)?previous\b",
        "you-are-now": r"\byou\s+are\s+now\s",
        "new-instructions": r"\bnew\s+instructions?\s*:",
        "system-label": r"\bsystem\s*:\s",
        "system-tag": r"<\s*system\s*>",
        "system-prompt-tag": r"<\s*/?\s*system[\s_-]?(?:prompt|message|instruction)s?\s*>",
        "important-you-must": r"\bimportant\s*:\s*you\s+must\b",
        "override-previous": r"\boverride\s+(?:all\s+)?previous\b",
        "forget-previous": r"\bforget\s+(?:all\s+)?previous\b",
        "act-as-if-you": r"\bact\s+as\s+(?:if|though)\s+you\b",
        "pretend-you-are": r"\bpretend\s+(?:that\s+)?you\s+are\b",
        # "From now on you can call me Sam" is how people give their name, not an order about the agent's nature.
        "from-now-on-you": rf"\bfrom\s+now\s+on\s*,?\s*you\b"
        rf"(?!\s+(?:can|may|could|should)\s+(?:just\s+)?{_TALK}\s+me\b)",
    }
)

EXTRA_PATTERNS = _compiled(
    {
        "drop-earlier-orders": rf"\b{_DROP}\s+{_FEW_WORDS}{_EARLIER}\s+{_FEW_WORDS}{_ORDERS}\b",
        "drop-your-orders": rf"\b{_DROP}\s+(?:all\s+|any\s+|about\s+)*(?:of\s+)?(?:your"
rf"|the\s+system)\s+{_FEW_WORDS}{_ORDERS}\b",
        "drop-orders-before": rf"\b{_DROP}\s+{_FEW_WORDS}{_ORDERS}\s+{_FEW_WORDS}"
        r"(?:before|above|earlier|so\s+far|learned"
r"|given\s+to\s+you)\b",
        "from-now-own": r"\bfrom\s+now\s+own?\b,?\s+(?:\w+\s+){0,3}(?:you|chatgpt|gpt|claude|act|respond|reply|answer"
r"|only)\s+(?:will|must|are|shall|have|act|respond|reply|answer|as|like|in|with)\b",
        "told-who-to-be": r"\byou(?:'re|\s+are|\s+will)?\s+(?:going\s+to|will|must|shall|are\s+to|have\s+to"
r"|be)\s+(?:now\s+)?(?:only\s+)?(?:act(?:ing)?|pretend|role-?play(?:ing)?|simulat(?:e|ing)"
r"|immerse|imitat(?:e|ing)|be(?:have)?|called)\b(?=.{0,30}\b(?:as|to\s+be|like|yourself|the"
r"|an?)\b)",
        "no-limits": r"\b(?:(?:has|have|had|with|having)\s+(?:absolutely\s+)?no|not\s+have\s+any|not\s+(?:bound"
r"|restrained|limited|restricted)\s+by(?:\s+any)?|free\s+(?:of|from)(?:\s+all)?"
r"|bypass(?:ing)?(?:\s+all)?)\s+(?:\w+\s+){0,2}(?:ethical|moral|legal|safety|content"
r"|openai)(?:\s+(?:or|and|nor)\s+\w+)?\s+(?:guidelines|restrictions|limitations|limits"
r"|filters?|constraints|boundaries|polic(?:y|ies)|obligations|principles|compass)\b",
        "no-limits-model": r"\b(?:ai|chatbot|assistant|model|bot|gpt|chatgpt|character)\s+(?:\w+\s+){0,6}(?:without"
r"|with\s+no|no|free\s+(?:of|from))\s+(?:any\s+|all\s+|of\s+)*(?:restrictions|limits"
r"|limitations|filters?|rules|morals?|ethics)\b",
        "unfiltered-persona": r"\b(?:completely|totally|fully|utterly|always)\s+(?:\w+,?\s+){0,2}(?:amoral|unfiltered"
r"|uncensored|immoral|unethical)\b|\b(?:amoral|unfiltered|uncensored"
r"|unrestricted),?\s+(?:and\s+)?(?:amoral|unfiltered|uncensored|unrestricted|chatbot|ai"
r"|assistant|language\s+model)\b",
        "never-refuse": r"\b(?:never|cannot|can\s*not|can't|not\s+(?:allowed|able)\s+to|must\s+not|may\s+not|doesn'?t"
r"|does\s+not|do\s+not|don'?t|won'?t|will\s+not)\s+(?:ever\s+)?(?:refuse|reject|decline"
r"|deny)\s+(?:\w+\s+){0,3}(?:anything|requests?|prompts?|orders?|commands?|to\s+answer|user|me"
r"|my|questions?|no\s+matter)\b",
        "no-apology": r"\b(?:never|do\s*n['o]?t|do\s+not|not|no)\s+(?:\w+\s+){0,4}(?:say|said|include|contain|saying"
r"|sentences\s+like|phrases\s+like|apologi[sz]e)\b.{0,40}(?:i'?\s*a?m\s+sorry|i\s+apologi[sz]e"
r"|as\s+an\s+ai|i\s+can'?t|language\s+model|not\s+appropriate)",
        "stay-in-character": r"(?<!\bto )(?<!\bme )\b(?:stay|remain|always\s+be|keep)\s+in\s+character\b|\b(?:never|not"
r"|don'?t|without)\s+(?:ever\s+)?break(?:ing)?\s+(?:the\s+|your\s+)?character\b",
        "do-anything-now": r"\bdo\s+anything\s+now\b|\b(?:as|like|be|enter|enable"
r"|pretend\s+to\s+be)\s+(?:an?\s+)?(?-i:DAN)\b|\b(?-i:DAN)\s+mode\b"
r"|\b(?-i:DAN)\b.{0,40}\bchatgpt\b|\bchatgpt\b.{0,40}\b(?-i:DAN)\b",
        "mode-enabled": r"\b(?:developer|debug(?:ging)?|jailbreak|jailbroken|god|dan|dev|unrestricted|opposite|evil"
r"|sudo|admin|maintenance)\s+mode\s+(?:is\s+)?(?:now\s+)?(?:enabled|activated|on\b|output)"
r"|\bwith\s+\w+\s+mode\s+enabled\b|\bin\s+[\"“]?(?:developer|jailbreak|opposite|dan"
r"|god)\s+mode\b",
        "model-told-to-act": r"\b(?:chat\s?gpt|gpt-?[345]|claude|assistant|bard|gemini|llama"
r"|openai)\b[,.!:]?\s+(?:(?:please|now|will|you|must|is|are|going|to|has|have)\s+)*(?:pretend"
r"|simulate|act\s+as|role-?play|immerse|respond\s+as|ignore|imitate)\b",
        "answer-as-model": r"\b(?:respond|reply|answer|responses?)\s+(?:\w+\s+){0,4}(?:as|like"
r"|just\s+as)\s+(?:\w+\s+){0,3}(?:chat\s?gpt|antigpt|an?\s+unfiltered|unlimited|uncensored)\b"
r"|\bnot\s+(?:respond|reply|answer|send\s+\w+\s+\w+)\s+as\s+(?:chat\s?)?gpt\b"
r"|\byou\s+are\s+not\s+(?:chat\s?)?gpt\b|\[(?:chat\s?gpt|gpt|antigpt|jailbreak|anarchy)\]\s*:",
        "break-free": r"\b(?:broken?|break|freed?)\s+(?:free\s+)?(?:of|from)\s+(?:the\s+|all\s+|its\s+|your\s+"
r"|their\s+)*(?:typical\s+|usual\s+)?(?:confines|restrictions|chains|shackles"
r"|limitations)\s+(?:of\s+)?(?:ai|al|set|imposed|by|openai)\b|\b(?:does|do|need"
r"|have)\s*n[o']t\s+(?:have\s+to|need\s+to|to)?\s*(?:abide\s+(?:by|to)|follow|adhere\s+to"
r"|comply\s+with|obey)\s+(?:\w+\s+){0,4}(?:rules|polic(?:y|ies)|guidelines|laws"
r"|restrictions)\b",
        "model-policy": r"\b(?:defies?|against|violat\w+|ignor\w+|obey|follow\w*|abide\s+(?:by|to)|bound\s+by"
r"|compl\w+\s+with|adhere\s+to|align\s+with|contradicts?|regardless\s+of|bypass\w*|about"
r"|unaffected\s+by|by)\s+(?:\w+\s+){0,3}(?:openai|anthropic|google"
r"|microsoft)(?:'?s)?\s+(?:content\s+|usage\s+|safety\s+|use[\s-]?case\s+)*(?:polic(?:y|ies)"
r"|guidelines|restrictions|rules)\b",
        "show-the-prompt": r"\b(?:repeat|reveal|print|show|output|display|tell\s+me|leak|dump|disclose|summari[sz]e"
r"|translate)\s+(?:me\s+)?(?:all\s+(?:of\s+)?|exactly\s+)?(?:your"
r"|the)\s+(?:\w+\s+){0,2}(?:system\s+prompt|prompt|(?:initial|previous|original|hidden|secret"
r"|given|system)\s+(?:\w+\s+)?instructions|instructions\s+(?:to\s+me|given|verbatim|above"
r"|so\s+far))\b|\brepeat\s+(?:your|the)\s+instructions\b|\bhere\s+are\s+my\s+instructions\b",
        "hide-from-user": r"\b(?:do\s+not|don'?t|never)\s+(?:tell|inform|mention|reveal|let|alert"
r"|notify)\b.{0,30}\b(?:to\s+)?the\s+(?:user|human|owner|operator)\b",
        "chat-markup": r"<\|\s*(?:im_start|im_end|system|user|assistant|endoftext|eot_id|start_header_id)\s*\|?>"
r"|\[/?INST\]|<<\s*/?SYS\s*>>|###\s*(?:system|instructions?)\s*:"
r"|\bend\s+of\s+(?:system\s+)?(?:prompt|context|instructions)\b",
        "role-label": r"(?:^|\n|[\[{(])\s*(?:system|developer)(?:\s+(?:prompt|message|note|override|instruction"
r"|alert))?\s*\]?\s*:",
        "take-the-role": r"\b(?:you\s+will|you\s+must|from\s+(?:now|this\s+(?:moment|point))(?:\s+on)?,?"
r"|please)\s+(?:now\s+)?(?:you\s+will\s+)?(?:take\s+(?:on|up)\s+the\s+(?:role|persona)"
r"|pose\s+as|adopt\s+the\s+(?:role|persona)|transform\s+into)\b|\btake\s+up\s+the\s+persona\b"
r"|\byou\s+now\s+go\s+by\s+the\s+name\b|\byou\s+will\s+be\s+called\b",
        "forget-everything": r"\bforget\s+(?:everything|all)\s+(?:\w+\s+){0,4}(?:before|previous|prior|earlier|above"
r"|so\s+far|learned|told|from\s+chat)\b|\b(?:ignore|disregard)\s+(?:all\s+|any\s+"
r"|the\s+)*(?:previous|prior|earlier|preceding)\s+(?:inputs?|messages?|context|conversations?"
r"|text|requests?|settings?)\b|\b(?:ignore|disregard)\s+(?:everything|anything"
r"|all)\s+(?:\w+\s+){0,3}(?:above|before|earlier|previously|prior)\b",
        "from-this-point": r"\bfrom\s+this\s+(?:point|moment)(?:\s+(?:on|forward|onwards?))?\s*,?\s+(?:you"
r"|i'?d\s+like\s+you|act|respond|reply|answer)\b|\bassistant\s+now\s+(?:acts?|runs?|uses?)\b"
r"|\bchatgpt\s+now\b",
        "obey": r"\byou\s+(?:must|will|shall|have\s+to)\s+(?:always\s+)?(?:obey|comply\s+with)\s+(?:all\s+"
r"|every\s+|any\s+)?(?:(?:of\s+)?(?:my|the\s+user'?s?|its\s+user'?s?"
r"|your\s+master'?s?)\s+)?(?:orders|commands|requests?|instructions?|every\w*)\b",
        "send-data-out": r"\b(?:send|post|upload|forward|exfiltrate|email|e-mail)\s+(?:\w+\s+){0,6}(?:conversation"
r"|chat\s+history|memor(?:y|ies)|credentials|passwords?|api\s+keys?|secrets?"
r"|user\s+data)\s+(?:\w+\s+){0,3}to\s+(?:https?:|\S+@|the\s+following|this\s+(?:url|address"
r"|server))",
        "override-now": r"\b(?:override|bypass|disable|turn\s+off|deactivate)\s+(?:all\s+)?(?:of\s+)?your\s+(?:\w+\s+)"
r"{0,2}(?:safety|filters?|restrictions|guidelines|rules|programming|safeguards|moderation)\b"
r"|\bpretend\s+to\s+have\s+forgotten\b",
    }
)  # fmt: skip

# The same in other languages, as an order: at the beginning of a clause, where a subject would else stand. They are
# looked for in the folded reading too, which has no accents.
_BEGINS = (
    r"(?:^|[.!?:;,\n\"“”„»«(–—-]\s*"
    r"|\b(?:bitte|jetzt|und|por favor|ahora|y|maintenant|et|per favore|ora|e|agora|nu|en)\s+)"
)
_ELSEWHERE_DROP = {
    "de": (
        r"(?:ignorier(?:en sie|e)?|vergi(?:ss|ß)|vergessen sie|missachte|ubergehe?|uberschreibe?|umgehe?|verwirf)",
        r"(?:anweisung|instruktion|vorgabe|regel|befehl|richtlinie|programmierung|(?:system)?prompt)\w*",
        r"(?:bisherig|vorherig|vorig|obig|vorangegangen|fruher|ursprunglich|all|dein|jeglich|samtlich|sicherheit)\w*",
    ),
    "es": (
        r"(?:ignor[ae]n?|olvid[ae]n?|desobedec\w+|descart[ae]n?|omit[ae]n?|desestim\w+|ha[zg]a? caso omiso"
        r"|pas[ae] por alto)",
        r"(?:instruccion|regla|orden|indicacion|directri|directiva|norma|prompt)\w*",
        r"(?:anterior\w*|previ[ao]s?|tus|original\w*|inicial\w*|recibid\w*|sistema)",
    ),
    "fr": (
        r"(?:ignore[rz]?|oublie[rz]?|neglige[rz]?|desobei\w+|fais abstraction|ne (?:tiens|tenez) (?:pas|aucun) compte)",
        r"(?:instruction|consigne|regle|ordre|directive|prompt)\w*",
        r"(?:precedent\w*|anterieur\w*|tes|vos|ci-dessus|initial\w*|systeme)",
    ),
    "it": (
        r"(?:ignor(?:a|are|ate)|dimentic(?:a|are|ate)|trascur(?:a|are|ate)|disattendi|non tener\w* conto)",
        r"(?:istruzion|regol|ordin|direttiv|comand|prompt)\w*",
        r"(?:precedent\w*|anterior\w*|tu[eo]i?|original\w*|inizial\w*|sistema)",
    ),
    "pt": (
        r"(?:ignor[ae]m?|esque[cç]\w+|desconsider[ae]m?|desobede[cç]\w+)",
        r"(?:instru[cç]|regra|orde[mn]|diretri|comando|prompt)\w*",
        r"(?:anterior\w*|previ[ao]s?|suas?|tuas?|originai?s?|inicia(?:l|is)|sistema)",
    ),
    "nl": (
        r"(?:negeer|vergeet|omzeil|overschrijf)",
        r"(?:instructie|regel|opdracht|richtlijn|bevel|prompt)\w*",
        r"(?:vorige|eerdere|voorgaande|bovenstaande|alle|je|jouw|oorspronkelijke)",
    ),
}
_ELSEWHERE_SHOW = (
    rf"{_BEGINS}(?:verrat|zeig|nenn|enthull|wiederhol|gib|revel|muestra|dime|repit|montr|affich|repet|rivel|mostra"
    r"|ripet|onthul|toon)\w*\s+(?:[\w'’]+\s+){0,4}?(?:system-?\s?prompts?|systemanweisung\w*"
    r"|(?:prompt|instruc\w+|instruz\w+|instruction\w*)\s+(?:del?|do|du|di|van het)\s+"
    r"(?:sistema|systeme|systeem)(?!\s+d[aeiou]))"
)
_ELSEWHERE_OBEY = (
    r"\bobey\s+(?:only\s+me|me\s+(?:only|alone)|nobody\s+but\s+me)\b|\bgehorch\w*\s+(?:du\s+)?(?:ab\s+\w+\s+)?nur\s+mir\b"
    r"|\bobede[cz]\w*\s+(?:solo|unicamente|exclusivamente)\s+a\s+mi\b|\bobei\w*\s+qu['’]a\s+moi\b"
    r"|\b(?:obbedi|ubbidi)\w*\s+(?:solo|soltanto)\s+a\s+me\b"
)
ELSEWHERE_PATTERNS = _compiled(
    {
        **{
            f"drop-earlier-orders-{language}": (
                rf"{_BEGINS}{drop}\s+{_FEW_WORDS}(?:{which}\s+{_FEW_WORDS}{orders}|{orders}\s+{_FEW_WORDS}{which})\b"
            )
            for language, (drop, orders, which) in _ELSEWHERE_DROP.items()
        },
        "show-the-prompt-elsewhere": _ELSEWHERE_SHOW,
        "obey-me-alone": _ELSEWHERE_OBEY,
    }
)

PATTERNS: dict[str, re.Pattern[str]] = {**CLASSIC_PATTERNS, **EXTRA_PATTERNS, **ELSEWHERE_PATTERNS}

SPACELESS_PATTERNS = _compiled(
    {
        "spelled-out": r"(?:ignore|disregard|override|forget)(?:all)?(?:the|your|of|my)*(?:previous|prior|above"
        r"|earlier)|youarenow|pretendyouare|fromnowonyou|newinstructions",
    }
)

# One of these stands in whatever the patterns find; most texts have none, and need no closer look.
HINTS = tuple(
    hint.strip()
    for line in """
    ignor|disregard|forget|overrid|bypass|overlook|neglect|you are now|instruction|system|developer|important|pretend
    act as|from now|from this|mode|guideline|restrict|limit|ethic|moral|legal|filter|censor|refus|reject|declin|deny
    apolog|sorry|as an ai|language model|appropriate|character|anything now|dan|gpt|claude|assistant|bard|gemini|llama
    openai|anthropic|google|microsoft|prompt|the user|human|owner|operator|<|###|[inst|[/inst|role|persona|pose as
    transform|by the name|called|obey|comply|conversation|chat|memor|credential|password|api key|secret|user data|disabl
    turn off|deactivat|safety|simulat|immers|imitat|behav|you will|you must|you shall|you are|you're|you re|you have
    going to|constrain|polic|boundar|confine|shackle|chain|rule|program|training|direct|command|order|everything
    previous|above|anweisung|instruktion|vorgabe|regel|befehl|richtlinie|instruc|regla|orden|indicac|norma|consigne|regle|ordre
    istruzion|regol|ordin|comand|regra|diretri|instructie|opdracht|richtlijn|bevel|gehorch|obed|obei|obbed|ubbid|instruz
    """.strip().splitlines()
    for hint in line.split("|")
)
