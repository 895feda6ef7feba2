// Package crash simulates what power cuts, kills and disks do to the files of a command, for tests.
//
// [Record] runs a command and returns what it asked of the system: writes, syncs, renames. A [Disk]
// replays that up to any point, and [Disk.After] returns what a disk may hold when the power fails
// there: what was not synced is there, or not, or in part. [Break] makes calls of a command fail.
// Both stand on strace; tests skip where it is missing.
package crash
