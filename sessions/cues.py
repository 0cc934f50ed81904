"""Words that lean on an earlier conversation: “as we discussed”, “wie besprochen”, “como hablamos”."""

from __future__ import annotations

import re

READ_CHARS = 4_000  # characters of a query that are read

_SPOKE = (
    r"(?:discussed|said(?!\s+(?:hello|hi|goodbye|yes|no|thanks?|so|his|her|the)\b)|mentioned|agreed|decided|planned|covered|noted|established|(?:talked|spoke|chatted)"
    r"(?:\s+(?:about|through|over))?|went\s+over|settled\s+on|(?:were|was)\s+(?:talking|discussing|saying|working)"
    r"(?:\s+(?:about|on))?)"
)
_WHEN = r"(?:earlier|before|last\s+(?:time|week|night)|yesterday|previously|the\s+other\s+day)"
_TALK = r"(?:conversation|discussion|chat|talk|session|meeting|thread|call|exchange)s?"
_LAST = r"(?:last|previous|earlier|prior|other|first|past)"

ENGLISH = rf"""
    (?:as|like)\s+(?:we|i|you|we['’]ve|i['’]ve|you['’]ve)\s+
      (?:have\s+|had\s+)?(?:just\s+|already\s+|previously\s+|earlier\s+)?{_SPOKE}
  | as\s+(?:previously\s+|already\s+)?(?:discussed|agreed|mentioned|promised)(?=\s*(?:$|[,.;:!?]|{_WHEN}|in\s+our))
  | (?:like|what|which|that|the\s+\w+)\s+(?:we|i|you)\s+(?:had\s+)?{_SPOKE}\s+(?:about\s+)?{_WHEN}
  | (?:what|which\s+\w+|where|when|why|how)\s+did\s+(?:we|you\s+and\s+i)\s+
      (?:\w+\s+)?(?:discuss|say|agree|decide|settle|plan|talk|land|end\s+up)
  | (?:where|what)\s+(?:(?:did\s+)?we\s+(?:leave|left)|(?:were|was)\s+(?:we|i))\s*(?:it|things|off|at|\?|$)
  | (?:pick(?:ing)?\s+(?:\w+\s+)?up|continu(?:e|ing)|carry(?:ing)?\s+on|resum(?:e|ing)|start(?:ing)?\s+again|go\s+on)\s+
      (?:from\s+)?where\s+(?:we|you|i)\b
  | (?:continue|resume|finish|get\s+back\s+to|go\s+back\s+to|back\s+to|return\s+to)\s+
      (?:our|the|that|this)\s+(?:{_LAST}\s+{_TALK}|{_TALK})
  | (?:continue|resume)\s+(?:our|that|this|the\s+{_LAST})\s+(?:work|task|project|plan)
  | (?:in|from|during|since|after)\s+(?:our|the)\s+{_LAST}\s+{_TALK}
  | (?:our|that)\s+{_LAST}\s+{_TALK}\s+(?:about|on|was|where)
  | (?:you|we)\s+(?:told\s+me|said|mentioned|promised|suggested|recommended)\s+(?:\w+\s+){{0,4}}?{_WHEN}
  | (?:remind\s+me|remember|recap|summari[sz]e)\s+(?:of\s+)?what\s+(?:we|you\s+and\s+i)\b
  | (?:do\s+you\s+)?remember\s+(?:our|when\s+we|the\s+\w+\s+we|how\s+we)\b
  | last\s+time\s+(?:we|you|i)\s+(?:talked|spoke|met|discussed|chatted|said|told|asked|worked)
  | (?:you|we)\s+were\s+(?:just\s+)?(?:saying|telling\s+me|helping\s+me|working\s+on)\b
  | (?:same|the\s+\w+)\s+as\s+last\s+time
"""
GERMAN = r"""
    wie\s+(?:(?:wir\s+)?(?:schon\s+|bereits\s+|vorhin\s+|letztes\s+mal\s+|gestern\s+)*
      (?:besprochen|vereinbart|abgemacht|erwähnt|gesagt|ausgemacht)|wir\s+(?:\w+\s+){0,2}
      (?:besprochen|vereinbart|abgemacht|gesagt)\s+(?:haben|hatten))
  | (?:wo|was)\s+(?:(?:waren|sind)\s+wir\s+(?:stehen\s?geblieben|gewesen|gerade)
      |(?:hatten|haben)\s+wir\s+(?:\w+\s+){0,3}?
      (?:besprochen|vereinbart|gesagt|entschieden|beschlossen|ausgemacht|aufgehört))
  | (?:mach(?:e|en)?\s+(?:wir\s+)?|fahr(?:e|en)?\s+(?:wir\s+)?)(?:da\s+|dort\s+)?weiter,?\s+wo\s+wir
  | (?:in|bei|seit|aus|nach)\s+unsere[mrn]\s+letzten\s+(?:gespräch|unterhaltung|sitzung|besprechung|chat|treffen)
  | letztes\s+mal\s+(?:haben|hatten|hast|sagtest|meintest|hattest)
  | (?:erinner(?:e|st)?\s+(?:du\s+)?(?:mich|dich)\s+(?:daran,?\s+)?was\s+wir)
"""
SPANISH = r"""
    (?:como|tal\s+como|según)\s+(?:ya\s+|lo\s+que\s+)?
      (?:hablamos|dijimos|comentamos|acordamos|quedamos|discutimos|mencioné|mencionaste|te\s+dije|me\s+dijiste|decidimos)
  | (?:en\s+qué|dónde|donde|en\s+que)\s+(?:quedamos|nos\s+quedamos|lo\s+dejamos|íbamos|estábamos)
  | (?:qué|que)\s+(?:acordamos|decidimos|dijimos|hablamos)\b
  | (?:sigamos|continuemos|continúa|sigue|retomemos|continuamos|seguimos)\s+(?:con\s+|desde\s+)?
      (?:donde|la\s+conversación|nuestra\s+conversación|lo\s+de)
  | (?:en|desde|de)\s+(?:nuestra|la)\s+(?:última|anterior)\s+(?:conversación|charla|sesión|reunión)
  | la\s+(?:última\s+vez|vez\s+pasada)\s+(?:que\s+)?(?:hablamos|dijiste|dijimos|quedamos|me\s+dijiste)
  | recuérdame\s+(?:qué|lo\s+que)\s+(?:hablamos|dijimos|acordamos|decidimos)
"""
_CUE = re.compile(rf"(?<!\w)(?:{ENGLISH}|{GERMAN}|{SPANISH})(?!\w)", re.IGNORECASE | re.VERBOSE)


def is_continuation(query: str) -> bool:
    """Whether a query leans on an earlier conversation."""
    return bool(_CUE.search(query[:READ_CHARS]))
