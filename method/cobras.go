package method

func cobrasMethods() []Method { return nil }
