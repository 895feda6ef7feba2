package method

func partitionalMethods() []Method { return nil }
