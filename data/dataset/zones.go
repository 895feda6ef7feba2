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

// zone reads a zone, if there is one.
func (p *momentParser) zone(zone *int) bool {
	first := p.i
	p.blanks()
	named := p.i
	hours, ok := zoneHours[string(p.word())]
	sign := p.next()
	if ok && (sign != '+' && sign != '-' || hours != 0) {
		*zone = int(hours * 3600)
		return true
	}
	if !ok { // else it is as in GMT+0100
		p.i = named
	}
	sign = p.next()
	if sign != '+' && sign != '-' {
		p.i = first
		return false
	}
	p.i++
	east, n := p.number(4)
	minutes := 0
	switch {
	case n == 4:
		east, minutes = east/100, east%100
	case (n == 2 || n == 1) && p.next() == ':':
		p.i++
		minutes, _ = p.number(2)
	case n != 2:
		p.i = first
		return false
	}
	if *zone = east*3600 + minutes*60; sign == '-' {
		*zone = -*zone
	}
	if east > 14 || minutes > 59 {
		*zone = 0
		p.i = first
		return false
	}
	return true
}

// place reads the name of a place as zone, as in 12:00 Europe/Berlin, and steps over what follows
// an offset: 12:00+01:00[Europe/Berlin], 12:00 +0100 CET, 12:00 GMT+0100 (Central European Time).
// zoned is true where a zone was read.
func (p *momentParser) place(zoned bool) *time.Location {
	first := p.i
	offset := zoned && p.s[first-1]-'0' <= 9
	p.blanks()
	rest := p.s[p.i:]
	var zone *time.Location
	switch {
	case len(rest) == 0:
	case rest[0] == '[' && rest[len(rest)-1] == ']':
		zone = placeZone(string(rest[1 : len(rest)-1]))
	case rest[0] == '(' && rest[len(rest)-1] == ')' && offset:
		p.i = len(p.s)
		return nil
	default:
		if _, ok := zoneHours[string(rest)]; ok && len(rest) > 1 && offset {
			p.i = len(p.s)
			return nil
		}
		zone = placeZone(string(rest))
	}
	if zone == nil {
		p.i = first
		return nil
	}
	p.i = len(p.s)
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
