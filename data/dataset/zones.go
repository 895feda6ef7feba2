package dataset

import (
	"bytes"
	"strings"
	"sync"
	"time"
	_ "time/tzdata" // a machine may lack the zones
)

// zoneHours are the hours east of UTC of zones that have a name of one meaning. Those that several
// parts of the world use, as IST and BST, are none; CST and MST are those of North America, as in
// mail (RFC 5322).
var zoneHours = map[string]float64{"UTC": 0, "GMT": 0, "Z": 0, "z": 0, "WET": 0, "WEST": 1,
	"CET": 1, "CEST": 2, "MEZ": 1, "MESZ": 2, "EET": 2, "EEST": 3, "MSK": 3, "SAST": 2,
	"EST": -5, "EDT": -4, "CST": -6, "CDT": -5, "MST": -7, "MDT": -6, "PST": -8, "PDT": -7,
	"AKST": -9, "AKDT": -8, "HST": -10, "BRT": -3, "ART": -3, "JST": 9, "KST": 9, "HKT": 8,
	"SGT": 8, "AWST": 8, "ACST": 9.5, "ACDT": 10.5, "AEST": 10, "AEDT": 11, "NZST": 12, "NZDT": 13}

// places holds the zones of places that were met, as opening one takes long: a *time.Location by
// its name.
var places sync.Map

// placeZone returns the zone of a place, such as Europe/Berlin; nil where there is none.
func placeZone(name string) *time.Location {
	if zone, ok := places.Load(name); ok {
		return zone.(*time.Location)
	}
	area, city, ok := strings.Cut(name, "/")
	if !ok || area == "" || city == "" || area[0] < 'A' || area[0] > 'Z' {
		return nil
	}
	zone, err := time.LoadLocation(name)
	if err != nil {
		return nil
	}
	places.Store(name, zone)
	return zone
}

// fixZone is what to do about a zone that is not known.
const fixZone = "write it as an offset, such as +05:30, or by a place, such as Asia/Kolkata"

// unknownZone returns the name behind a date and time that is no known zone; "" where there is
// none.
func unknownZone(s []byte, order dateOrder) string {
	at := bytes.LastIndexByte(s, ' ')
	if at < 0 {
		return ""
	}
	name := s[at+1:]
	if len(name) < 2 || name[0] < 'A' || name[0] > 'Z' || bytes.ContainsFunc(name, func(r rune) bool {
		return !(r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' || r == '/' || r == '_' || r == '-')
	}) {
		return ""
	}
	m, ok := parseMoment(bytes.TrimRight(s[:at], " "), order)
	if !ok || m.kind == dates || m.zoned {
		return ""
	}
	return string(name)
}

// offsetAt returns the seconds east of UTC of a zone at a local time, given as seconds of UTC.
func offsetAt(zone *time.Location, local float64) int {
	t := time.Unix(int64(local), 0).UTC()
	_, offset := time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), 0,
		zone).Zone()
	return offset
}
