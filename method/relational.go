package method

func relationalMethods() []Method { return nil }
