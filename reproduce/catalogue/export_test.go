package catalogue

// Names is for the test that opens every data set of the catalogue.
var Names = names
