package reproduce

import (
	"strings"

	"github.com/kindred-go/kindred/reproduce/cevclus2013"
	"github.com/kindred-go/kindred/reproduce/cobra2017"
	"github.com/kindred-go/kindred/reproduce/competitive2013"
	"github.com/kindred-go/kindred/reproduce/density2017"
	"github.com/kindred-go/kindred/reproduce/frame"
	"github.com/kindred-go/kindred/reproduce/kevclus2016"
	"github.com/kindred-go/kindred/reproduce/worth"
)

// List returns all experiments.
func List() []frame.Experiment {
	return []frame.Experiment{
		cobra2017.Experiment(),
		cevclus2013.Experiment(),
		competitive2013.Experiment(),
		kevclus2016.Experiment(),
		density2017.Experiment(),
		worth.Experiment(),
	}
}

// Find returns the experiment of a name. Without one it is a [*fault.Input] that lists the names.
func Find(name string) (frame.Experiment, error) {
	var names []string
	for _, e := range List() {
		if strings.EqualFold(e.Name, name) {
			return e, nil
		}
		names = append(names, e.Name)
	}
	return frame.Experiment{}, frame.Known([]string{name}, names, "experiment")
}
