"""Letters of other scripts that look like Latin ones.

Cyrillic, Greek, Armenian and a few Latin extensions by eye; widths, circles and mathematical styles need no row,
since compatibility decomposition folds them.
"""

from __future__ import annotations

_LATIN_OF = {
    "a": "аɑα",
    "b": "ЬƄ",
    "c": "сϲᴄ",
    "d": "ԁɗ",
    "e": "еєҽε",
    "f": "ƒ",
    "g": "ɡց",
    "h": "һհ",
    "i": "іıɩιӏ",
    "j": "јϳ",
    "k": "кκ",
    "l": "ⅼןӀ",
    "m": "мᴍ",
    "n": "ոпɴη",
    "o": "оοօσᴏ",
    "p": "рρ",
    "q": "ԛզ",
    "r": "гᴦ",
    "s": "ѕꜱ",
    "t": "тτᴛ",
    "u": "υսᴜ",
    "v": "ѵνᴠ",
    "w": "ԝωѡᴡ",
    "x": "хχ",
    "y": "уүγʏ",
    "z": "ᴢ",
    "A": "АΑ",
    "B": "ВΒ",
    "C": "СϹ",
    "E": "ЕΕ",
    "H": "НΗ",
    "I": "ІΙ",
    "J": "Ј",
    "K": "КΚ",
    "M": "МΜ",
    "N": "Ν",
    "O": "ОΟ",
    "P": "РΡ",
    "S": "Ѕ",
    "T": "ТΤ",
    "X": "ХΧ",
    "Y": "ҮΥ",
    "Z": "Ζ",
}

LOOKALIKES: dict[str, str] = {alike: latin for latin, row in _LATIN_OF.items() for alike in row}
