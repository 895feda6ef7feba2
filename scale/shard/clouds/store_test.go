package clouds_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// changed is when all objects were.
var changed = time.Date(2024, 5, 6, 7, 8, 9, 0, time.UTC)

// store holds objects by bucket and name, and speaks as much of two protocols as it takes.
type store struct {
	lock    sync.Mutex
	objects map[string][]byte
	parts   int // pieces of large uploads
}

func (s *store) names(prefix string) (names []string) {
	for name := range s.objects {
		if strings.HasPrefix(name, prefix) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// body returns the content of a request, which the S3 client may send in chunks with their lengths
// and a checksum behind.
func body(r *http.Request) []byte {
	text, _ := io.ReadAll(r.Body)
	if !strings.Contains(r.Header.Get("Content-Encoding"), "aws-chunked") &&
		!strings.HasPrefix(r.Header.Get("X-Amz-Content-Sha256"), "STREAMING") {
		return text
	}
	var out []byte
	for {
		line, rest, _ := bytes.Cut(text, []byte("\r\n"))
		number, _, _ := strings.Cut(string(line), ";")
		n, err := strconv.ParseInt(number, 16, 64)
		if err != nil || n == 0 {
			return out
		}
		out, text = append(out, rest[:n]...), rest[n+2:]
	}
}

// s3 answers GetObject, HeadObject, PutObject, DeleteObject, ListObjectsV2 and uploads in parts.
func (s *store) s3(w http.ResponseWriter, r *http.Request) {
	s.lock.Lock()
	defer s.lock.Unlock()
	name, query := strings.TrimPrefix(r.URL.Path, "/"), r.URL.Query()
	switch {
	case r.Method == "GET" && query.Get("list-type") == "2":
		type object struct {
			Key          string
			LastModified string
			Size         int
		}
		out := struct {
			XMLName               xml.Name `xml:"ListBucketResult"`
			IsTruncated           bool
			NextContinuationToken string `xml:",omitempty"`
			Contents              []object
		}{}
		bucket := strings.TrimSuffix(name, "/") + "/"
		for _, name := range s.names(bucket + query.Get("prefix")) {
			key := strings.TrimPrefix(name, bucket)
			if key <= query.Get("continuation-token") {
				continue
			}
			if len(out.Contents) == 2 { // so that there are pages
				out.IsTruncated, out.NextContinuationToken = true, out.Contents[1].Key
				break
			}
			out.Contents = append(out.Contents,
				object{Key: key, LastModified: changed.Format(time.RFC3339),
					Size: len(s.objects[name])})
		}
		xml.NewEncoder(w).Encode(out)
	case r.Method == "POST" && query.Has("uploads"):
		fmt.Fprint(w,
			"<InitiateMultipartUploadResult><UploadId>u1</UploadId>"+
				"</InitiateMultipartUploadResult>")
	case r.Method == "PUT" && query.Has("partNumber"):
		n, _ := strconv.Atoi(query.Get("partNumber"))
		s.objects[fmt.Sprintf("\x00%s/%06d", name, n)] = body(r)
		s.parts++
		w.Header().Set("ETag", `"`+query.Get("partNumber")+`"`)
	case r.Method == "POST" && query.Has("uploadId"):
		var all []byte
		for _, part := range s.names("\x00" + name + "/") {
			all = append(all, s.objects[part]...)
			delete(s.objects, part)
		}
		s.objects[name] = all
		fmt.Fprint(w,
			"<CompleteMultipartUploadResult><ETag>x</ETag></CompleteMultipartUploadResult>")
	case r.Method == "PUT":
		s.objects[name] = body(r)
	case r.Method == "DELETE":
		delete(s.objects, name)
		w.WriteHeader(http.StatusNoContent)
	default:
		s.send(w, r, name)
	}
}

func (s *store) send(w http.ResponseWriter, r *http.Request, name string) {
	object, ok := s.objects[name]
	if !ok {
		http.Error(w, "<Error><Code>NoSuchKey</Code></Error>", http.StatusNotFound)
		return
	}
	http.ServeContent(w, r, "", changed, bytes.NewReader(object))
}

// google answers reads, attributes, lists, removals, and uploads in one and in several pieces.
func (s *store) google(w http.ResponseWriter, r *http.Request) {
	s.lock.Lock()
	defer s.lock.Unlock()
	path, query := r.URL.EscapedPath(), r.URL.Query()
	if rest, ok := strings.CutPrefix(path, "/upload/storage/v1/b/"); ok {
		bucket, _, _ := strings.Cut(rest, "/")
		s.upload(w, r, bucket)
		return
	}
	rest, ok := strings.CutPrefix(path, "/storage/v1/b/")
	if !ok {
		name, _ := url.PathUnescape(strings.TrimPrefix(path, "/"))
		s.send(w, r, name)
		return
	}
	bucket, object, _ := strings.Cut(rest, "/o")
	if object == "" {
		var items []any
		for _, name := range s.names(bucket + "/" + query.Get("prefix")) {
			items = append(items, s.attributes(bucket, strings.TrimPrefix(name, bucket+"/")))
		}
		json.NewEncoder(w).Encode(map[string]any{"kind": "storage#objects", "items": items})
		return
	}
	name, _ := url.PathUnescape(strings.TrimPrefix(object, "/"))
	if _, ok := s.objects[bucket+"/"+name]; !ok {
		http.Error(w, `{"error": {"code": 404, "message": "not found"}}`, http.StatusNotFound)
		return
	}
	if r.Method == "DELETE" {
		delete(s.objects, bucket+"/"+name)
		w.WriteHeader(http.StatusNoContent)
		return
	}
	json.NewEncoder(w).Encode(s.attributes(bucket, name))
}

func (s *store) attributes(bucket, name string) any {
	return map[string]any{"kind": "storage#object", "bucket": bucket, "name": name,
		"size":    strconv.Itoa(len(s.objects[bucket+"/"+name])),
		"updated": changed.Format(time.RFC3339), "generation": "1", "metageneration": "1"}
}

func (s *store) upload(w http.ResponseWriter, r *http.Request, bucket string) {
	query := r.URL.Query()
	var about struct{ Name string }
	switch {
	case query.Get("uploadType") == "multipart":
		_, params, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
		parts := multipart.NewReader(r.Body, params["boundary"])
		for k := range 2 {
			part, err := parts.NextPart()
			if err != nil {
				http.Error(w, err.Error(), http.StatusBadRequest)
				return
			}
			if k == 0 {
				json.NewDecoder(part).Decode(&about)
				continue
			}
			s.objects[bucket+"/"+about.Name], _ = io.ReadAll(part)
		}
		json.NewEncoder(w).Encode(s.attributes(bucket, about.Name))
	case !query.Has("upload_id"):
		json.NewDecoder(r.Body).Decode(&about)
		w.Header().Set("Location",
			"http://"+r.Host+r.URL.Path+"?uploadType=resumable&upload_id="+
				url.QueryEscape(about.Name))
	default:
		name := bucket + "/" + query.Get("upload_id")
		piece, _ := io.ReadAll(r.Body)
		s.objects["\x00"+name] = append(s.objects["\x00"+name], piece...)
		s.parts++
		if total := r.Header.Get("Content-Range"); strings.HasSuffix(total, "/*") {
			w.Header().Set("Range", fmt.Sprintf("bytes=0-%d", len(s.objects["\x00"+name])-1))
			w.Header().Set("X-Http-Status-Code-Override", "308")
			return
		}
		s.objects[name] = s.objects["\x00"+name]
		delete(s.objects, "\x00"+name)
		json.NewEncoder(w).Encode(s.attributes(bucket, query.Get("upload_id")))
	}
}
