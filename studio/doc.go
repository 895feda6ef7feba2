// Package studio serves projects to people: the page in the browser, and the HTTP API under /api/v1
// that the page itself uses. docs/api.md explains the API; /api/v1/openapi.json describes each
// call.
//
// Every address wants a token, which [Server.Address] returns as part of the link that a person
// opens first. The server answers only to names it knows itself by, takes changes from its own page
// and from programs alone, and never opens a file outside the folder it serves.
package studio
