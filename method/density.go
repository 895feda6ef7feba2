package method

func densityMethods() []Method { return nil }
