package shard

import (
	"context"
	"errors"
)

type csvFormat struct{ tsv, packed bool }

func (csvFormat) look(context.Context, Source, input) (*looked, error) {
	return nil, errors.ErrUnsupported
}

func (csvFormat) each(context.Context, Source, Split, input, func(*raw) error) (Tally, error) {
	return Tally{}, errors.ErrUnsupported
}

func remoteFiles(string) (files, error) { return nil, errors.ErrUnsupported }
