"""What a question is after, told by its words, and the memories that are of that kind.

Four intents, each with words that ask for it, in several languages, and the kinds of memory that answer it. A
question may have several or none. The effect is bounded by the feature's weight: it settles near ties.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

ASKS_FOR: Mapping[str, re.Pattern[str]] = {
    "task": re.compile(
        r"\b(to-?dos?|tasks?|deadlines?|due|remind\w*|plan(?:s|ned|ning)?|working on|projects?|next steps?|promis\w+|"
        r"commit\w*|decid\w+|decisions?|unfinished|aufgaben?|fällig|erinner\w*|projekte?|tareas?|pendientes?|proyectos?|"
        r"görev\w*|proje\w*)\b|任务|待办|项目|截止|مهمة|مهام|مشروع",
        re.IGNORECASE,
    ),
    "preference": re.compile(
        r"\b(prefer\w*|favou?rites?|likes?|loves?|enjoys?|hates?|dislikes?|tastes?|rather|allerg\w+|lieblings\w*|mag|"
        r"bevorzug\w*|prefier\w*|favorit[oa]s?|gusta\w*|sever|tercih\w*|favori\w*)\b|喜欢|偏好|最爱|يفضل|يحب|المفضل",
        re.IGNORECASE,
    ),
    "identity": re.compile(
        r"\b(who (?:am|is|are)|names?|called|lives?|born|birthday|age|old|jobs?|works? (?:as|at|for)|occupation|"
        r"timezone|nationality|from where|wer (?:bin|ist)|heiß\w*|name|wohn\w*|beruf|llam\w*|nombre|vive|trabaja|"
        r"kim\w*|adı|nerede yaşıyor|mesle\w*)\b|名字|叫什么|住在|职业|生日|اسم|يعيش|يسكن|يعمل",
        re.IGNORECASE,
    ),
    "style": re.compile(
        r"\b(tone|style|formal\w*|casual\w*|concise\w*|brief\w*|verbose|answer(?:s|ed)? (?:me|us)|talk to|speak to|"
        r"humou?r|emojis?|wording|ton|stil|förmlich|knapp|tono|estilo|üslup|samimi)\b|语气|风格|أسلوب|نبرة",
        re.IGNORECASE,
    ),
}
# Words of a memory's namespace, type, kind of fact and tags that tell it answers the intent.
ANSWERED_BY: Mapping[str, frozenset[str]] = {
    "task": frozenset(
        {"project", "decisions", "tasks", "task", "todos", "friction", "daily", "commitment", "goals"}
    ),
    "preference": frozenset({"preference", "preferences", "likes", "habit", "taste"}),
    "identity": frozenset({"user", "identity", "relationship", "people", "contact"}),
    "style": frozenset({"personality", "style", "styles", "communication", "tone"}),
}
KIND_WORD = re.compile(r"[^\W_]+")


def find_intents(question: str) -> tuple[str, ...]:
    """What it asks for, in the order above; empty when nothing tells."""
    return tuple(name for name, words in ASKS_FOR.items() if words.search(question))


def suits(intents: tuple[str, ...], kind: str) -> float:
    """1 where a memory of this kind (its namespace, type, kind of fact and tags) answers one of the intents."""
    if not intents or not kind:
        return 0.0
    words = set(KIND_WORD.findall(kind.lower()))
    return 1.0 if any(words & ANSWERED_BY[intent] for intent in intents) else 0.0
