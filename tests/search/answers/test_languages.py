"""Questions in five languages over memories in the same one, told apart from much that shares words with them."""

from __future__ import annotations

import pytest

from nebo.tenants.scoping import tenant_scope
from search.answers.search import SearchQuery, search
from search.embeddings.serving import get_serving_model
from tests.conftest import Team
from tests.search.conftest import embed_all, remember

pytestmark = pytest.mark.django_db

MEMORIES = {
    "spanish": {
        "hermana": "Su hermana Lucía vive en Valencia y enseña matemáticas",
        "perro": "Tiene dos perros que se llaman Toby y Luna",
        "comida": "Es alérgica a los cacahuetes",
        "trabajo": "Trabaja como enfermera en el hospital de Sevilla",
        "viaje": "Viajará a Japón en octubre con su marido",
        "musica": "Toca la guitarra desde que era niña",
        "coche": "Vendió su coche y ahora va en bicicleta",
        "casa": "Busca una casa con jardín cerca del mar",
    },
    "german": {
        "schwester": "Ihre Schwester Lena wohnt in Hamburg und unterrichtet Mathematik",
        "hunde": "Hat zwei Hunde, die Bello und Luna heißen",
        "essen": "Verträgt keine Erdnüsse",
        "arbeit": "Arbeitet als Krankenschwester in einem Krankenhaus in Köln",
        "reise": "Fliegt im Oktober mit ihrem Mann nach Japan",
        "musik": "Spielt seit ihrer Kindheit Gitarre",
        "auto": "Hat das Auto verkauft und fährt jetzt Fahrrad",
        "haus": "Sucht ein Haus mit Garten nahe am Meer",
    },
    "chinese": {
        "妹妹": "她的妹妹小丽住在上海，教数学",
        "狗": "家里有两只狗，叫豆豆和花花",
        "饮食": "对花生过敏",
        "工作": "在北京的医院当护士",
        "旅行": "十月和丈夫去日本旅行",
        "音乐": "从小弹吉他",
        "汽车": "卖掉了汽车，现在骑自行车上班",
        "房子": "想买一座靠近海边带花园的房子",
    },
    "turkish": {
        "kardes": "Kız kardeşi Elif İzmir'de yaşıyor ve matematik öğretiyor",
        "kopek": "Pamuk ve Karabaş adında iki köpeği var",
        "yemek": "Yer fıstığına alerjisi var",
        "is": "Ankara'daki hastanede hemşire olarak çalışıyor",
        "seyahat": "Ekim ayında eşiyle Japonya'ya gidecek",
        "muzik": "Çocukluğundan beri gitar çalıyor",
        "araba": "Arabasını sattı, artık bisiklete biniyor",
        "ev": "Denize yakın, bahçeli bir ev arıyor",
    },
    "arabic": {
        "الأخت": "أختها ليلى تسكن في بيروت وتدرّس الرياضيات",
        "الكلاب": "لديها كلبان اسمهما بندق ولولو",
        "الطعام": "تعاني من حساسية الفول السوداني",
        "العمل": "تعمل ممرضة في مستشفى القاهرة",
        "السفر": "ستسافر إلى اليابان في أكتوبر مع زوجها",
        "الموسيقى": "تعزف على الجيتار منذ الطفولة",
        "السيارة": "باعت سيارتها وتركب الدراجة الآن",
        "البيت": "تبحث عن بيت بحديقة قريب من البحر",
    },
}

QUESTIONS = {
    "spanish": [
        ("¿Dónde vive la hermana?", "hermana"),
        ("¿Cómo se llaman sus perros?", "perro"),
        ("¿A qué tiene alergia? ¿cacahuetes?", "comida"),
        ("¿En qué hospital trabaja?", "trabajo"),
        ("¿Cuándo viaja a Japón?", "viaje"),
        ("¿Qué instrumento toca, guitarras?", "musica"),
        ("¿Vendieron los coches?", "coche"),
    ],
    "german": [
        ("Wo wohnt die Schwester?", "schwester"),
        ("Wie heißen ihre Hunde?", "hunde"),
        ("Was ist mit Erdnuss?", "essen"),
        ("In welchem Krankenhaus arbeitet sie?", "arbeit"),
        ("Wann geht die Reise nach Japan?", "reise"),
        ("Wer spielte Gitarre?", "musik"),
        ("Welche Häuser mit Gärten sucht sie?", "haus"),
    ],
    "chinese": [
        ("妹妹住在哪里？", "妹妹"),
        ("她的狗叫什么名字？", "狗"),
        ("她对什么过敏？", "饮食"),
        ("在哪个医院工作？", "工作"),
        ("什么时候去日本？", "旅行"),
        ("会弹吉他吗？", "音乐"),
        ("为什么骑自行车？", "汽车"),
    ],
    "turkish": [
        ("Kız kardeşi nerede yaşıyor?", "kardes"),
        ("Köpeklerinin adı ne?", "kopek"),
        ("Neye alerjisi var, fıstık mı?", "yemek"),
        ("Hangi hastanede çalışıyor?", "is"),
        ("Japonya'ya ne zaman gidiyor?", "seyahat"),
        ("Hangi çalgıyı çalıyor, gitar mı?", "muzik"),
        ("Bisiklet kullanıyor mu?", "araba"),
    ],
    "arabic": [
        ("أين تسكن أختها؟", "الأخت"),
        ("ما اسم الكلاب؟", "الكلاب"),
        ("هل لديها حساسية من الفول؟", "الطعام"),
        ("في أي مستشفى تعمل؟", "العمل"),
        ("متى تسافر إلى اليابان؟", "السفر"),
        ("هل تعزف الجيتار؟", "الموسيقى"),
        ("لماذا تركب دراجة؟", "السيارة"),
    ],
}


@pytest.mark.parametrize("language", MEMORIES)
@pytest.mark.parametrize("by_vector", [True, False], ids=["hybrid", "words"])
def test_questions_find_memories_of_their_language(acme: Team, language: str, by_vector: bool) -> None:
    for words in MEMORIES.values():
        remember(acme, **{f"{key}-{number}": text for number, (key, text) in enumerate(words.items())})
    while by_vector and embed_all(acme):
        pass

    missed = {
        question: (meant, best)
        for question, meant in QUESTIONS[language]
        if (best := first(acme, question, by_vector=by_vector)) != meant
    }

    assert missed == {}


def first(team: Team, question: str, *, by_vector: bool) -> str:
    """The key of the best result, without its number."""
    vector = get_serving_model().embedder.embed([question])[0] if by_vector else None
    with tenant_scope(team.tenant):
        query = SearchQuery(question, team.person.pk)
        found = search(tenant=team.tenant, query=query, vector=vector).results
    return found[0].key.rpartition("-")[0] if found else ""
