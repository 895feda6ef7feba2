package keywords

import (
	"maps"
	"slices"
	"strings"
)

// stopWords are words that carry the grammar of a sentence and not its subject, by language. Those
// of other languages are found by how evenly they lie over the groups. Words of one letter are none
// of the terms. Particles of English verbs, as in "top up", are not among them.
var stopWords = func() map[string]map[string]bool {
	lists := map[string]string{
		"English": `about after again all also always am an and another any anyone anything are aren as at
be because been before being both but by can cannot could couldn did didn do does doesn doing don
done each either else etc ever every few for from get gets getting give go goes going gonna got had
has hasn have haven having he hello her here hers hey hi him his how however if in instead into is
isn it its itself just keep kind know let lets like ll look looking make makes many may maybe me
might mine more most much must my myself need needs never no nor not now of often oh ok on once one
only onto or other our ours over own please put quite rather re really right said same say says see
seem seems shall she should shouldn since so some somehow someone something somewhere soon still
such sure take tell than thank thanks that the their theirs them then there these they thing things
think this those though through till to too try trying until unto upon us use used using ve very
via want wanted wants was wasn way we well were weren what whatever when where whether which while
who whom whose why will wish with within without won would wouldn yes yet you your yours yourself`,
		"Dutch": `aan al alleen als altijd andere ben bent bij daar dan dat de deze die dit doch doe
doen door dus een en er ga gaan geen haar had heb hebben hebt heeft hem het hier hij hoe hun iets
ik in is ja je jij jou jouw kan kon kunnen kunt maar mag me meer men met mij mijn moet moeten na
naar niet niets nog nooit nou nu of om omdat ons onze ook op over te tegen toch toen tot uit uw van
veel voor waar waarom wanneer want waren was wat we weer wel werd wie wij wil wilt word worden
wordt zal ze zeer zei zelf zich zij zijn zo zonder zou`,
		"French": `afin ai aie alors après as au aucun aussi autre autres aux avais avait avant avec
avez avoir avons bien car ce cela celle celui ces cet cette ceux chaque chez comme comment dans de
depuis des dois doit donc dont du elle elles en encore entre es est et eu faire fait faut fois hors
ici il ils je jusqu la le les leur leurs lors lorsque lui là ma mais me mes moi moins mon même ne
ni non nos notre nous on ont or ou où par parce pas peu peut peux plus pour pourquoi pourrait
pouvez puis puisque qu quand que quel quelle quelles quels qui quoi rien sa sans se sera ses si son
sont sous suis sur ta te tes toi ton toujours tous tout toute toutes trop très tu un une vers veux
voir vos votre voudrais vous vraiment étais était étant été être`,
		"German": `aber alle allem allen aller alles als also am an andere anderen auch auf aus bei
beim bereits bin bis bist bitte da damit dann daran darauf darf das dass dazu dein deine dem den
denn der des deshalb die dies diese diesem diesen dieser dieses dir doch dort du durch ein eine
einem einen einer eines einfach einmal er es etwas euch euer für gegen gerade gern gibt habe haben
hat hatte hatten hier hin ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im immer in ins ist ja jede
jedem jeden jeder jedes jetzt kann kannst kein keine keinem keinen können könnt könnte könnten
machen mal man mehr mein meine meinem meinen meiner meines mich mir mit muss möchte müssen nach
nicht nichts noch nun nur ob oder ohne schon sehr sein seine seinem seinen seiner seit selbst sich
sie sind so soll sollen sollte sondern sonst um und uns unser unsere unter viel vom von vor wann
war waren warum was weil welche welchem welchen welcher welches wenn wer werde werden wie wieder
will wir wird wo wohl wollen wurde wurden würde zu zum zur zwischen über`,
		"Italian": `abbiamo ad agli ai al alcuni alla alle allo anche ancora avere avete aveva bene
che chi ci come con contro cosa così cui da dagli dai dal dalla dalle dallo degli dei del dell
della delle dello dentro di dopo dove due ecco ed era erano essere fa fare fatto fino fra già gli
ha hai hanno ho il in io la le lei li lo loro lui ma me mi mia mie miei mio molto ne negli nei nel
nell nella nelle nello no noi non nostra nostro nulla ogni oppure ora per perché però più poco poi
possiamo posso pure può qual quale quali quando quanto quasi quella quelle quelli quello questa
queste questi questo qui quindi se sei sempre senza si sia siamo siete solo sono sopra sta stata
stato sto su sua sue sugli sui sul sull sulla sulle sullo suo suoi sì ti tra troppo tua tue tuo
tutta tutte tutti tutto un una uno vi voglio voi vorrei vostra vostro`,
		"Polish": `aby albo ale ani aż bardzo bez bo by być był była było były chce chcę chyba ci co
coś czy dla dlaczego do gdy gdyż gdzie go ich ile im inne inny ja jak jakie jako jeden jednak jego
jej jest jestem jeszcze jeśli jeżeli już każdy kiedy kto która które którego której który których
którzy lub ma mam mi między mnie moge mogę moja moje może można mu musi mój na nad nam nas nasz
natomiast nawet nic nich nie nigdy nim niż no od on ona one oni oraz po pod ponieważ poza przed
przez przy roku się skąd swoje są ta tak taka taki takie tam te tego tej ten teraz też to tu tutaj
tych tylko tym więc wszystko właśnie za ze że żeby`,
		"Portuguese": `ainda algum alguma antes ao aos apenas aquela aquele aqui as assim até cada
com como contra da das de dela dele depois desde deve do dos ela elas ele eles em entre então era
eram essa esse esta estar este estou está estão eu faz fazer foi foram há isso isto já lhe lo mais
mas me mesmo meu meus minha minhas muito na nas nem nenhum no nos nossa nosso num numa nunca não
onde os ou para pela pelas pelo pelos pode podem por porque porquê posso pouco pra qual quando que
quem quer quero se seja sem sempre ser será seu seus sobre sou sua suas só também te tem tenho ter
teu tinha todo todos tu tua tudo têm um uma umas uns você vocês vou`,
		"Scandinavian": `alla alle allt andra andre att av bara bare blev bli blir blive både börja
da de deg dei dem den denna denne deras deres det detta dette dig din ditt du där då eftersom eller
en ene enn er et ett etter finns fra fram från får för før gör gøre ha had hadde hade han hans har
hej her hon hos hun hur hva hvad hvem hver hvis hvor hvordan hvorfor här ikke ikkje ingen innan
inte ja jag jeg kan kommer kunde kunne man med meg mej mellan men mer mig min mina mine mit mitt
mot mycket må måste måtte ni noe noen nogen noget nu när nå når och också og også om opp oss over
på samma seg selv sen ses sig sin sina sine ska skal skall skulle slik som så sådan til till under
upp ut utan uten vad var vara varför vart ved vel vem vi vil vilja vill ville välj vår våra være
været än är även åt`,
		"Spanish": `además ahora al algo alguien alguna algunas algunos algún ante antes aquí así
aunque aún bien cada casi como con contra cosa cual cuando cuál cuándo cuánto cómo de del desde
después donde dos dónde el ella ellas ellos en entonces entre era eran es esa ese eso esta estaba
estar estas este esto estos estoy está están fue fueron ha había hace hacer han hasta hay he hemos
hola la las le les lo los luego me mi mis mismo mucho muy más mí nada ni ningún no nos nosotros
nuestra nuestro nunca otra otras otro otros para pero poco podría por porque puede pueden puedo
pues que quien quiero quisiera quién qué se sea según ser será si sido siempre sin sobre solo son
soy su sus sí sólo también tampoco tan tanto te tener tengo ti tiene tienen toda todas todo todos
tu tus tú un una unas uno unos usted ustedes va vez voy ya yo él`,
	}
	byLanguage := make(map[string]map[string]bool, len(lists))
	for language, list := range lists {
		byLanguage[language] = make(map[string]bool)
		for word := range strings.FieldsSeq(list) {
			byLanguage[language][word] = true
		}
	}
	return byLanguage
}()

// Texts are in a language of whose stop words so many different ones occur, and which make up such a
// share of all words. In sentences it is more than a third; the words that languages have in common
// make up less.
const (
	leastDifferent = 8
	leastShare     = 0.15
)

// stops reports for each term whether it is a stop word of a language that the texts are in. Texts
// that seem to be in none are taken to be in English.
func stops(terms []string, times map[string]int32) []bool {
	all, of, different := 0.0, make(map[string]float64), make(map[string]int)
	for word, n := range times {
		all += float64(n)
		for language, list := range stopWords {
			if list[word] {
				of[language] += float64(n)
				different[language]++
			}
		}
	}
	most := 0.0
	for _, n := range of {
		most = max(most, n)
	}
	maps.DeleteFunc(of, func(language string, n float64) bool {
		return different[language] < leastDifferent || n < leastShare*all || 2*n < most
	})
	if len(of) == 0 {
		of["English"] = 0
	}
	languages := slices.Collect(maps.Keys(of))
	stop := make([]bool, len(terms))
	for k, term := range terms {
		stop[k] = slices.ContainsFunc(languages,
			func(language string) bool { return stopWords[language][term] })
	}
	return stop
}
