package model

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"strings"

	"github.com/kindred-go/kindred/internal/digest"
	"github.com/kindred-go/kindred/method"
)

// errChanged means that a model is not as it was written.
var errChanged = errors.New("the model is damaged: it is not as it was written, and rows would be " +
	"placed wrongly")

// Note returns what is to be known of the model that a file holds, as a sentence; "" for nothing.
func Note(m *method.Model, path string) string {
	if !m.Unverified {
		return ""
	}
	return path + ": it has no digest, so damage to it cannot be noticed; a model that is written " +
		"now has one"
}

// sealed returns the JSON of a model with a last field: the digest of the JSON without it.
func sealed(object []byte) []byte {
	sum := digest.Of(object)
	return append(object[:len(object)-1], seal(sum.String())...)
}

// seal is what stands for the closing brace of a model with a digest.
func seal(sum string) string { return `,"digest":"` + sum + `"}` }

// verify checks the digest of a model; sum is the one in it, "" for none.
func verify(text []byte, sum string) error {
	if sum == "" {
		return unsealed(text)
	}
	object, ok := bytes.CutSuffix(bytes.TrimRight(text, " \t\r\n"), []byte(seal(sum)))
	if want, known := digest.Parse(sum); !ok || !known ||
		digest.Of(object, []byte("}")) != want {
		return errChanged
	}
	return nil
}

// unsealed refuses a model without a digest that has a field which no model has: a digest whose
// name is damaged.
func unsealed(text []byte) error {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(text, &fields); err != nil {
		return err
	}
	of := reflect.TypeFor[modelFile]()
	for i := range of.NumField() {
		name, _, _ := strings.Cut(of.Field(i).Tag.Get("json"), ",")
		delete(fields, name)
	}
	if len(fields) > 0 {
		return errChanged
	}
	return nil
}
