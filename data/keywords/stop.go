package keywords

import "strings"

// stopWords are words of English that carry the grammar of a sentence and not its subject. Those of
// other languages are found by how evenly they lie over the groups. Words of one letter are none of
// the terms. Particles of verbs, as in "top up", are not among them.
var stopWords = func() map[string]bool {
	list := `about after again all also always am an and another any anyone anything are aren as at
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
who whom whose why will wish with within without won would wouldn yes yet you your yours yourself`
	m := map[string]bool{}
	for _, w := range strings.Fields(list) {
		m[w] = true
	}
	return m
}()
