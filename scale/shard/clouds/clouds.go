// Package clouds makes the file systems gs:// and s3:// known to a program that imports it for its
// effect. Their settings come from the usual environment variables and files: for Google Cloud
// Storage the application default credentials (GOOGLE_APPLICATION_CREDENTIALS), or
// STORAGE_EMULATOR_HOST for a server of one's own; for S3 AWS_REGION, AWS_ACCESS_KEY_ID,
// AWS_SECRET_ACCESS_KEY, AWS_PROFILE and so on, and AWS_ENDPOINT_URL for another server that speaks
// S3.
package clouds

import (
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/gcs" // gs://
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/s3"  // s3://
)
