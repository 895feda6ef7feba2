package competitive

// Remembers tells whether row number can be linked: it is one of the latest, or links name it.
func (l *Learner) Remembers(number int64) bool {
	_, err := l.memory.find(number)
	return err == nil
}
