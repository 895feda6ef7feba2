// Package competitive clusters rows one at a time, as they come, by competitive learning under links.
package competitive
