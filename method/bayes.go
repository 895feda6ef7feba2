package method

func bayesMethods() []Method { return nil }
