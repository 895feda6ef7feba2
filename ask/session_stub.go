package ask

// Session is replaced by the engine.
type Session struct{}
