package method

func hierarchyMethods() []Method { return nil }
