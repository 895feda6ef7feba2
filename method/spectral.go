package method

func spectralMethods() []Method { return nil }
