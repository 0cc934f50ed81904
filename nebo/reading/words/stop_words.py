"""Words that are mere grammar or courtesy, in the languages that learning knows: they tell nothing about a subject."""

from __future__ import annotations


def words(text: str) -> frozenset[str]:
    """The words of a text as a set."""
    return frozenset(text.split())


STOPWORDS = words(
    """
    a about after all also am an and any are as at be because been being but by called can could did do
    does doing don't everything for from get go going good got great had has have having he her here
    hers hey hi him his how i i'm i've if in into is it it's its just know like likes made make me more
    most much my name named no not now of on one or our out over really said she so some than thanks
    that that's the their them then there these they think this those to told too up us user very want
    was we were what when where who which why will with would wow yeah yes you you're your
    """
)

ENGLISH = words(
    """
    i'd i'll he's she's he'd she'd he'll she'll we're we've we'll we'd you've you'll you'd they're they've they'll
    there's here's what's who's where's how's when's let's isn't aren't wasn't weren't doesn't didn't hasn't
    haven't hadn't won't wouldn't can't cannot couldn't shouldn't mustn't ain't should shall may might must ought
    each every other another such own same few many both either neither nor only again once ever never always still
    yet even while until till during before above below between through against off onto upon within without around
    toward towards though although whether unless since else instead rather quite almost already whom whose myself
    yourself himself herself itself ourselves themselves something anything nothing someone anyone everyone thing
    things stuff lot lots bit kind sort way give gave given take took put let say says saying tell tells told ask
    asked see saw seen look come came went gone called use used using well maybe perhaps actually basically
    literally anyway
    """
)
GERMAN = words(
    """
    aber ordnung meinst meine gekommen alle allem allen aller alles als also am an ander andere anderem anderen
    anderer anderes auch auf aus bei beim bin bis bist da dabei dadurch dafür dagegen daher dahin damit dann daran
    darauf darin darüber darum das dass daß davon davor dazu dein deine deinem deinen deiner deines dem den denn
    der deren des dessen dich die dies diese diesem diesen dieser dieses dir doch dort du durch eben ein eine einem
    einen einer eines eigentlich einfach einige einmal er es etwas euch euer eure fast für gab ganz gar geben gegen
    gehabt gewesen gibt gibst habe haben habt halt hast hat hatte hatten hier hin hinter ich ihm ihn ihnen ihr ihre
    ihrem ihren ihrer im immer in ins irgend irgendwas irgendwie ist ja jede jedem jeden jeder jedes jemand jene
    jetzt kann kannst kein keine keinem keinen keiner können könnt könnte könnten machen mache machst macht mal man
    manche mehr mein meinem meinen meiner meines mich mir mit muss müssen müsste musst nach nachdem nämlich nein
    nicht nichts nie noch nun nur ob oder ohne schon sehr sein seine seinem seinen seiner seit selbst sich sie sind
    so sogar solche soll sollen sollte sollst sondern sonst soviel sowie überhaupt um und uns unser unsere unserem
    unseren unserer unter viel viele vielen vom von vor wann war waren warum was weder weil welche welchem welchen
    welcher welches wem wen wenig wenn wer werde werden wessen wie wieder wieso will willst wir wird wirst wo wobei
    woher wohin wollen wollte wollten worden würde würden wurde wurden zu zum zur zwar zwischen über gerade denke
    bitte sag sagen gesagt weiß weißt geht gehen gehst ging nehme nehmen nimmt nahm heißt heißen heiße hieß wissen
    frage fragen hab hätte wäre bräuchte gern lieber
    """
)
SPANISH = words(
    """
    a al preguntar preguntarte preguntado algo alguien algún alguna algunas alguno algunos allá allí ante antes
    aquel aquella aquello aquí así aún aunque bajo bien cada casi como cómo con conmigo contigo contra cosa cosas
    cual cuál cuáles cualquier cuando cuándo cuanto cuánto cuánta cuántos de decir deja del desde después dice dije
    dijo donde dónde dos durante e el él ella ellas ellos en entonces entre era eran eras eres es esa esas ese eso
    esos esta está estaba estado están estar estas estás este esto estos estoy estuve fin fue fueron fui gran ha
    había habían haber habrá hace hacer hacia haciendo hago han has hasta hay he hecho hemos hizo iba ir jamás la
    las le les lo los luego más me mejor mi mí mía mientras mío mis mismo mucha muchas mucho muchos muy nada nadie
    ni ningún ninguna ninguno no nos nosotras nosotros nuestra nuestro o os otra otras otro otros para pero poca
    poco pocos podemos poder podría por porque llama llaman llamas llamo llamaba puede pueden puedes puedo pues que
    qué queda quería quien quién quiénes quiere quieres quiero sabe saber sabes se sé sea según ser será si sí sido
    siempre sin sino sobre sois solo sólo debo debe deben debería deberíamos opinas crees creo llegué somos son soy
    su sus suya suyo tal también tampoco tan tanta tanto te ti tiene tienen tienes tener tengo toda todas todavía
    todo todos tras tu tú tus tuya tuyo u un una unas uno unos usted ustedes va vamos van vas ve vez voy y ya yo
    dime recuerdas acuerdas oye
    """
)
FRENCH = words(
    """
    ai aie alors as au aucun aucune aujourd'hui aura aussi autre autres aux avais avait avant avec avez avoir avons
    bien c'est ça car ce ceci cela celle celles celui cet cette ceux chaque chez chose ci comme comment d'un d'une
    dans de des du donc dont elle elles en encore entre es est et étaient étais était été êtes être eu eux fait
    faire fais faut il ils j'ai j'aime je juste l'on la là le les leur leurs lors lui ma mais me même mes moi moins
    mon ne ni non nos notre nous on ont ou où par parce pas peu peut peux plus pour pourquoi pourrais qu'est-ce
    quand que quel quelle quelles quels quelque quelques qui quoi sa sans se sera ses si soit son sont sous suis
    sur ta tandis te tes toi ton tous tout toute toutes très trop tu appelle appelles s'appelle m'appelle
    t'appelles un une vais vas vers veux voilà vos votre vous y dis dit dire sais savoir
    """
)
ITALIAN = words(
    """
    abbia abbiamo chiama chiami chiamo si ad agli ai al alcuni alla alle allo allora altra altre altri altro anche
    ancora avere aveva avevo bene che chi ci ciò come con cosa così cui da dagli dai dal dalla dalle dello dei del
    della delle dentro di dire dirmi dopo dove due e ed era erano eri ero essere fa fai fare fatto fino forse fra
    già gli ha hai hanno ho i il in io l'ho la le lei li lo loro lui ma mai me meglio mentre mi mia mie miei mio
    molta molte molti molto ne negli nei nel nella nelle nessuno niente noi non nostra nostro nulla o ogni oppure
    ora per perché però più poco poi posso potrei potresti prima può puoi qua qual quale quali qualche qualcosa
    qualcuno quando quanta quanti quanto quasi quel quella quelle quelli quello questa queste questi questo qui
    quindi sa sai se sé sei sempre senza sia siamo siete so solo sono sopra sta stai stata stato sto su sua sue
    sugli sui sul sulla suo suoi tanto te ti tra troppo tu tua tue tuo tuoi tutta tutte tutti tutto un una uno va
    vai vi voglio voi vorrei vostra vostro
    """
)
# Said to be polite, or that something was heard. They stand alone in what tells nothing.
COURTESY = words(
    """
    ours mine theirs yours need needs needed keep remember reminder remind mind choice ok okay okey oki k alright
    right sure fine noted understood cool nice awesome perfect lovely super absolutely certainly definitely exactly
    indeed agreed gotcha welcome glad happy pleasure sorry please thank thanks thx ty cheers problem problems
    worries worry course bye goodbye hello hiya morning evening afternoon night haha lol hm hmm yep yup yea nope oh
    ah aha enjoy anytime sounds help helpful assist appreciate hallo moin servus tschüss tschau danke dankeschön
    bitteschön klar gerne verstanden notiert natürlich genau stimmt prima toll gut gute guten guter morgen tag
    abend problemlos keine passt freut sicher selbstverständlich hola adiós gracias claro vale entendido anotado
    perfecto bueno buenos buenas días día tardes noches genial favor supuesto encantado encantada nada acuerdo tal
    listo bonjour bonsoir salut merci oui d'accord entendu noté parfait plaisir prie ciao buongiorno buonasera
    salve grazie prego certo capito perfetto bene benissimo volentieri sì d'accordo figurati
    """
)
GRAMMAR = STOPWORDS | ENGLISH | GERMAN | SPANISH | FRENCH | ITALIAN
