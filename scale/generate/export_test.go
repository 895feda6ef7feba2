package generate

// Centers is for the tests that compare rows with the centres they are drawn around.
var Centers = centers
