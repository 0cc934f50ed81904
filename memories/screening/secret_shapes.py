"""What secrets look like: shapes that speak for themselves, and the words that give the others away.

Shapes are written from the issuers' own published formats; the group `secret`, where there is one, is what is hidden.
"""

from __future__ import annotations

IBAN_LENGTHS = {
    "AD": 24, "AE": 23, "AT": 20, "BE": 16, "BG": 22, "BR": 29, "CH": 21, "CY": 28, "CZ": 24, "DE": 22, "DK": 18,
    "EE": 20, "ES": 24, "FI": 18, "FR": 27, "GB": 22, "GI": 23, "GR": 27, "HR": 21, "HU": 28, "IE": 22, "IL": 23,
    "IS": 26, "IT": 27, "LI": 21, "LT": 20, "LU": 20, "LV": 21, "MC": 27, "MT": 31, "NL": 18, "NO": 15, "PL": 28,
    "PT": 25, "RO": 24, "RS": 22, "SA": 24, "SE": 24, "SI": 19, "SK": 24, "SM": 27, "TN": 24, "TR": 26, "UA": 29,
}  # fmt: skip # characters by country (ISO 13616 registry)

PRIVATE_KEY = (
    r"-----BEGIN[ A-Z0-9_-]{0,60}PRIVATE KEY(?: BLOCK)?-----"
    r"(?:[^-]{0,20000}(?:-----END[ A-Z0-9_-]{0,80}-----)?)"
)

TOKENS = {
    "anthropic_key": r"\bsk-ant-[\w-]{20,200}",
    "openai_key": r"\bsk-(?:proj-|svcacct-|admin-)?[A-Za-z0-9_-]{20,250}(?![\w-])",
    "aws_key": r"\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b",
    "github_token": r"\b(?:gh[oprsu]_[A-Za-z0-9]{30,255}|github_pat_\w{60,255})\b",
    "gitlab_token": r"\bgl[a-z]{2,5}-[\w=.-]{20,300}",
    "slack_token": r"\bx(?:ox[a-z]|app)-[A-Za-z0-9.-]{8,250}|hooks\.slack\.com/[a-z]+/[A-Za-z0-9+/]{30,80}",
    "stripe_key": r"\b(?:sk|rk|pk)_(?:test|live|prod)_[A-Za-z0-9]{10,120}\b|\bwhsec_[A-Za-z0-9+/=]{20,80}",
    "google_key": r"\bAIza[\w-]{35}(?![\w-])|\bGOCSPX-[\w-]{20,40}|\bya29\.[\w-]{20,300}",
    "jwt": r"\bey[A-Za-z0-9_-]{15,4000}\.ey[A-Za-z0-9_-]{10,8000}(?:\.[A-Za-z0-9_-]{0,4000})?",
    "nebo_key": r"\bnebo_[A-Za-z0-9]{6,64}_[\w-]{16,128}",
    "hugging_face_token": r"\b(?:hf_|api_org_)[A-Za-z]{30,40}\b",
    "age_key": r"\bAGE-SECRET-KEY-1[A-Z0-9]{50,60}\b",
    "hex_token": (
        r"\b(?:dop_v1_|doo_v1_|dor_v1_|dapi|shp(?:at|ca|pa|ss)_|key-|pul-|shippo_(?:live|test)_|rubygems_"
        r"|sgp_|xkeysib-|PMAK-|sntryu_|NRJS-|\bSK)[A-Fa-f0-9_]{19,120}(?:-[A-Za-z0-9]{8,60})?\b"
    ),
}

# A short name, a joint, and a long run without words in it: how most issuers mark their tokens today.
PREFIXED_RUN = (
    r"(?<![\w/.-])[A-Za-z][A-Za-z0-9]{1,14}[_.-](?:[A-Za-z0-9]{1,10}[_.-])"
    r"{0,3}(?P<secret>[A-Za-z0-9]{20,300})(?![\w/])"
)

_VALUE = r"[\"'`]?(?P<secret>[A-Za-z0-9_=+/.~%-]{10,512})"
_SAYS = (
    r"\s{0,3}(?:[\"'`]\s{0,3})?"
    r"(?:=>|:=|==?|:|,|(?i:\b(?:is|was|to|ist|war|lautet|es|est|era|c['’]est)\b|\bè)"
    r"(?:\s(?i:now|still|jetzt|ahora|ora|maintenant))?)\s{0,3}"
)
_KEY_WORDS = (
    r"(?:api|access|secret|auth|private|client|signing|encryption|service|account|app|session"
    r"|refresh|deploy|webhook|bot)"
)
NAMED_SECRET = (
    rf"(?i:(?<![a-z]){_KEY_WORDS}(?:[\s_.-]?[a-z]{{1,12}}){{0,2}}[\s_.-]?(?:key|token|secret"
    rf"|id)\b){_SAYS}{_VALUE}"
)
ASSIGNED_SECRET = (
    r"(?<![\w.-])(?i:[\w.-]{0,40}(?:key|token|secret|credentials?|passwd|auth|jwt)[\w.-]{0,20})"
    r"[\"'`]?\s{0,3}(?:=>|:=|==?|:|,)\s{0,3}" + _VALUE
)
# Any identifier that is given a long value without words in it, as configuration files write it.
ASSIGNED_VALUE = (
    r"(?<![\w.-])(?![\w.-]{0,60}(?i:sha|md5|hash|commit|rev|digest|sum|etag|uuid|guid|blob|tree|version))"
    r"[A-Za-z_][\w.-]{1,60}[\"'`]?\s{0,3}(?:=>|:="
    r"|={1,3})\s{0,3}[\"'`]{0,2}(?P<secret>[A-Za-z0-9_=+/-]{16,512})"
)
# A name of a service or a setting, a joint as configuration has it, and such a value: "fastly: b3skhb…", "okta=>00jv…".
JOINED_VALUE = (
    r"(?<![\w.-])(?![\w. -]{0,60}(?i:sha|md5|hash|commit|rev|digest|sum|etag|uuid|guid|blob|tree|version|number|order"
    r"|track|booking|invoice|flight|serial|isbn|doi|http|session|request|message(?!.?bird)|trace|job|memory|user|person))"
    r"[A-Za-z][\w.-]{1,60}(?:[ \t][\w.-]{1,20})?[\"'`]?\s{0,3}(?:=>|:{1,3}=|\|\||\?=|>|,(?! )|:|=)[\s\"'`=]{0,5}"
    r"(?P<secret>[A-Za-z0-9_=+/|.-]{15,512})(?![\w/])"
)
# Tokens that their first letters give away, of issuers who use no separators, or unusual ones.
MARKED_RUN = (
    r"(?<![\w/-])(?P<secret>A3-[A-Z0-9]{6}-[A-Z0-9-]{20,40}|pat[A-Za-z0-9]{14}\.[a-f0-9]{64}|LTAI[A-Za-z0-9]{20}"
    r"|v1\.0-[a-f0-9]{24}-[a-f0-9]{100,160}|FLWSECK_TEST-[A-Za-z0-9]{12}|FLWPUBK_TEST-[A-Za-z0-9]{32}-X"
    r"|s-s4t2(?:ud|af)-[a-f0-9]{64}|sm_(?:aat|pat|sat)_[A-Za-z0-9]{16}|s\.[A-Za-z0-9]{24}|ico-[A-Za-z0-9]{32}"
    r"|\d{15,16}[|%][0-9a-z_-]{27,40}"
    r"|GR1348941[\w-]{20}|A3T[A-Z0-9]{17}|EAAA[\w-]{22,60}|EAA[MC][A-Za-z0-9]{100,200}"
    r"|(?:sc|ext|scauth|authress)_[A-Za-z0-9]{5,30}\.[A-Za-z0-9]{4,6}\.acc[_-][A-Za-z0-9-]{10,32}\.[\w+/=-]{30,120})"
    r"(?![\w/-])"
)
# A long run in capitals, small letters and digits at once, outside a path: base64 or base62 of something random.
RANDOM_RUN = (
    r"(?<![\w/=+-])(?=[A-Za-z0-9_+-]{0,60}[A-Z])(?=[A-Za-z0-9_+-]{0,60}\d)"
    r"(?P<secret>[A-Za-z0-9_+-]{28,600})(?![\w/])"
)

BEARER = (
    r"(?i:\b(?:authorization\s{0,2}:\s{0,2}(?:basic|token)"
    r"|bearer)\s{1,3})(?P<secret>[A-Za-z0-9_=+/.~-]{16,2048})"
)
URL_LOGIN = r"\b[a-z][a-z0-9+.-]{1,20}://[^\s:/@'\"]{0,80}:(?P<secret>[^\s/@'\"]{3,120})@[\w.-]+"

# "for the boiler room", „vom Router“, “del correo”, “dell'allarme”: what it opens.
_OF = (
    r"(?:\s(?i:(?:for|to|of|on|fürs?|vo[nm]|zu[mr]?|beim?|del?|para|en|du|des|pour|per|di|dell[aeo]|de la|der"
    r"|(?:mein|unser|sein|ihr)e[rs])\s"
    r"|(?:d|dell|de l)['’])[\w .@'’-]{1,40}?)?"
)
_NAMES_ONE = (
    r"(?i:\b(?:\w+[_-])?(?:pass(?:word|code|phrase|wd)?|pwd?|kennwort|(?:\w{2,12})?passwort|contrase[ñn]a"
    r"|mots? de passe|senha|palavra-passe|parola d['’]ordine|clave de acceso|clave del wifi)\b)"
)
_PASSWORD = rf"{_NAMES_ONE}{_OF}{_SAYS}"
QUOTED_PASSWORD = rf"{_PASSWORD}[\"'`“](?P<secret>[^\"'`”\n]{{4,120}})[\"'`”]"
BARE_PASSWORD = rf"{_PASSWORD}(?P<secret>[^\s\"'`“]{{6,120}})"
# "the password hunter2": no word between, so what follows must look nothing like a word.
NEXT_PASSWORD = rf"{_NAMES_ONE}\s{{1,3}}(?P<secret>[^\s\"'`“]{{6,120}})"
PIN = (
    r"(?i:\b(?:pin|cvv2?|cvc2?|otp|(?:security|door|alarm|gate|verification|2fa|one[\s-]?time)\scode)\b"
    rf"(?:\s(?:code|number))?){_OF}{_SAYS}(?P<secret>\d{{3,10}}(?:[ -]\d{{3}})?)\b(?!\s?(?i:am|pm|%"
    r"|euros?|dollars))"
)
# The same in other languages, under names that mean a code to open something with.
FOREIGN_PIN = (
    r"(?i:\b(?:(?:bank-?)?geheimzahl|geheimnummer|(?:tür|haustür|alarm|zugangs|sicherheits|entsperr)-?code|(?:\w{1,8}-)?pin"
    r"|clave|c[óo]digo (?:secreto|de (?:seguridad|acceso|la (?:puerta|alarma)|desbloqueo))"
    r"|code (?:secret|pin|d['’](?:entrée|accès)|de (?:la porte|sécurité|l['’]alarme|l['’]immeuble))|digicode"
    r"|codice (?:segreto|pin|di (?:sicurezza|accesso|sblocco)|della (?:porta|carta)|dell['’]allarme))\b)"
    rf"{_OF}{_SAYS}(?P<secret>\d{{4,10}}|\d{{2}}(?: \d{{2}}){{1,3}})\b(?!\s?(?i:%|euros?|uhr|h\b))"
)
RECOVERY_PHRASE = (
    r"(?i:\b(?:seed|recovery|mnemonic|backup)\s(?:phrase|words)\b)"
    + _SAYS
    + r"[\"'`“]?(?P<secret>(?:[a-z]{3,8}[\s,]{1,2}){11,23}[a-z]{3,8})"
)

CARD = (
    r"(?<![\w./-])(?:4\d{3}|5[1-5]\d{2}|2[2-7]\d{2}|3[47]\d{2}|3[068]\d{2}|35\d{2}|6\d{3})"
    r"(?:[ -]?\d){9,15}(?![\w/-]|\.\d)"
)
IBAN = "|".join(
    rf"\b(?i:{country})\d{{2}}(?: ?[A-Za-z0-9]){{{length - 4}}}(?![A-Za-z0-9])"
    for country, length in IBAN_LENGTHS.items()
)
US_SSN = r"(?<![\w-])\d{3}-\d{2}-\d{4}(?![\w-])"
NAMED_SSN = (
    r"(?i:\b(?:ssn|social\ssecurity(?:\s(?:number"
    rf"|no\.?))?)\b){_SAYS}#?\s{{0,2}}(?P<secret>\d{{3}}[ -]?\d{{2}}[ -]?\d{{4}})\b"
)
IDENTITY_NUMBER = (
    r"(?i:\b(?:passport|driver'?s?\slicen[cs]e|tax(?:payer)?(?:\sid)?|national\sid|vat(?:\sid)?|tin"
    r"|(?:bank\s)?account)\s?(?:number|no\.?|\#)?)"
    r"\s{0,3}(?:=|:|\bis\b)\s{0,3}(?P<secret>[A-Z]{0,3}\d[A-Z0-9 -]{4,20}\d)\b"
)
# The same in other languages: the name alone tells, since these words have no other meaning.
FOREIGN_IDENTITY = (
    r"(?i:\b(?:steuer(?:identifikations)?-?\s?(?:nummer|nr\.?|id(?:nummer|entifikationsnummer)?)"
    r"|identifikationsnummer|umsatzsteuer-?id|sozialversicherungsnummer|rentenversicherungsnummer"
    r"|(?:reise)?passnummer|(?:personal)?ausweis-?(?:nummer|nr\.?)|kontonummer"
    r"|n[úu]mero\s(?:de\s(?:pasaporte|la\sseguridad\ssocial|identificaci[óo]n\sfiscal|cuenta)|fiscal)|pasaporte"
    r"|seguridad\ssocial|nif|nie|dni|cif|num[ée]ro\s(?:fiscal|de\ss[ée]curit[ée]\ssociale|de\spasseport)"
    r"|codice\sfiscale|partita\siva)\b)"
    r"\s{0,3}(?:=|:|\b(?i:ist|lautet|es|est|is)\b|è)?\s{0,3}"
    r"(?P<secret>[A-Z]{0,6}\d[A-Za-z0-9 /.-]{4,20}[A-Za-z0-9])(?![\w-])"
)
SPANISH_IDENTITY = r"(?<![\w-])(?:\d{8}|[XYZxyz]-?\d{7})-?[A-Za-z](?![\w-])"
