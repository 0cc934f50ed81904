"""What people can't have or be near to, by its words in five languages: whoever is told of "Nüsse" is told of nuts.

An encoder takes nuts for nearer to eggs than to "Nüsse", and what somebody may come to harm by must not be mixed up.
"""

from __future__ import annotations

from nebo.reading.relations.restatement import stems
from nebo.reading.wording.covering import plain

_SAME = """
nut nuts nuss nüsse nüssen noix noce noci
walnut walnuts walnuss walnüsse walnüssen nuez nueces
hazelnut hazelnuts haselnuss haselnüsse haselnüssen avellana avellanas noisette noisettes nocciola nocciole
peanut peanuts erdnuss erdnüsse erdnüssen cacahuete cacahuetes cacahuate maní cacahuète cacahuètes arachide arachidi
almond almonds mandel mandeln almendra almendras amande amandes mandorla mandorle
egg eggs ei eier eiern huevo huevos oeuf oeufs œuf œufs uovo uova
milk milch leche lait latte
dairy milchprodukt milchprodukte milchprodukten lácteo lácteos latticini laitages
lactose laktose lactosa lattosio
gluten glutine
wheat weizen trigo blé grano frumento
fish fisch pescado poisson pesce
shellfish seafood meeresfrüchte meeresfrüchten marisco mariscos crustacé crustacés crostacei
prawn prawns shrimp shrimps garnele garnelen gamba gambas crevette crevettes gambero gamberi
soy soya soja soia
sesame sesam sésamo ajonjolí sésame sesamo
celery sellerie apio céleri sedano
mustard senf mostaza moutarde senape
strawberry strawberries erdbeere erdbeeren fresa fresas fraise fraises fragola fragole
tomato tomatoes tomate tomaten tomates pomodoro pomodori
cat cats katze katzen gato gatos chat chats gatto gatti
dog dogs hund hunde hunden perro perros chien chiens cane cani
horse horses pferd pferde pferden caballo caballos cheval chevaux cavallo cavalli
pollen polen polline
dust hausstaub staub polvo poussière polvere
bee bees biene bienen abeja abejas abeille abeilles ape api
wasp wasps wespe wespen avispa avispas guêpe guêpes vespa vespe
penicillin penizillin penicilina pénicilline penicillina
ibuprofen ibuprofeno ibuprofène ibuprofene
aspirin aspirina aspirine
latex látex lattice
nickel níquel nichel
coffee kaffee café caffè
alcohol alkohol alcool
"""
_ROWS = tuple(frozenset(map(plain, {*line.split(), *stems(line)})) for line in _SAME.strip().splitlines())


def mean_the_same(one: str, other: str) -> bool:
    """Whether two words, or their stems, are for one of these."""
    ours, theirs = plain(one), plain(other)
    return any(ours in row and theirs in row for row in _ROWS)
