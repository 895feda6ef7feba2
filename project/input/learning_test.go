package input_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/kindred-go/kindred/cluster/competitive"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/project/input"
)

// learning returns the settings that flags make.
func learning(flags ...string) (method.Learning, error) {
	var l input.Learning
	fs := pflag.NewFlagSet("", pflag.ContinueOnError)
	l.Flags(fs)
	if err := fs.Parse(flags); err != nil {
		return method.Learning{}, err
	}
	return l.Settings()
}

func TestLearningFlags(t *testing.T) {
	if s, err := learning(); err != nil || s != (method.Learning{}) {
		t.Errorf("no flags: %+v, %v; want the zero value, which is the default", s, err)
	}
	s, err := learning("--epochs=3", "--learning-rate=.1", "--unlearning-rate=0", "--rate=power",
		"--prototype-metric=full",
		"--init=gaussian", "--half-life=500", "--prune")
	want := method.Learning{Epochs: 3, Metric: competitive.Full, Init: competitive.Gaussian,
		HalfLife: 500, Prune: true}
	want.Rate.Schedule, want.Rate.Start, want.Rate.Unlearn = competitive.Power, .1, -1
	if err != nil || s != want {
		t.Errorf("%+v, %v; want %+v", s, err, want)
	}
}

func TestLearningFlagsThatCannotBe(t *testing.T) {
	for flag, says := range map[string]string{
		"--epochs=0":               "--epochs is 0: give 1 or more",
		"--epochs=-4":              "--epochs is -4",
		"--learning-rate=0":        "--learning-rate is 0: give a number above 0 and at most 1",
		"--learning-rate=NaN":      "--learning-rate is NaN",
		"--learning-rate=1.5":      "--learning-rate is 1.5",
		"--unlearning-rate=-1":     "--unlearning-rate is -1: give a number from 0",
		"--unlearning-rate=1":      "--unlearning-rate is 1",
		"--half-life=0":            "--half-life is 0: give a number of rows",
		"--half-life=Inf":          "--half-life is +Inf",
		"--rate=slow":              `--rate: "slow" is not a schedule`,
		"--prototype-metric=round": "euclidean, diagonal or full",
		"--init=best":              "plusplus, gaussian or sample",
	} {
		_, err := learning(flag)
		var usage fault.Setting
		if !errors.As(err, &usage) || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want %q", flag, err, says)
		}
	}
}
