// Package engines holds what brings real engines to this machine, for trying kindred-scale and for
// its tests: scripts that build Flink and Spark with Beam's job servers from what the registries of
// Maven hold, start them on this machine alone, and stop them.
//
//	flink/flink install && flink/flink start
//	kindred-scale … --runner flink --endpoint localhost:28099 --environment_type LOOPBACK
//	flink/flink stop
//
// The tests here run k-means and the placing of rows on such a cluster, and kill parts of it
// meanwhile. They need KINDRED_ENGINES to name the folder that an engine was installed to.
package engines
