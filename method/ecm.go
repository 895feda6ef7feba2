package method

func ecmMethods() []Method { return nil }
