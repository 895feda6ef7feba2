package clouds_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/scale/engine"
	"github.com/kindred-go/kindred/scale/shard"
	_ "github.com/kindred-go/kindred/scale/shard/clouds"
	"github.com/kindred-go/kindred/scale/survey"
)

func TestMain(m *testing.M) {
	engine.Init() // for Beam
	os.Exit(m.Run())
}

// onS3 serves a store that speaks S3 on this machine, and points the environment at it.
func onS3(t *testing.T) (*store, string) {
	s := &store{objects: map[string][]byte{}}
	server := httptest.NewServer(http.HandlerFunc(s.s3))
	t.Cleanup(server.Close)
	for name, value := range map[string]string{"AWS_ENDPOINT_URL": server.URL,
		"AWS_REGION": "us-east-1", "AWS_ACCESS_KEY_ID": "test",
		"AWS_SECRET_ACCESS_KEY": "test", "AWS_EC2_METADATA_DISABLED": "true",
		"AWS_CONFIG_FILE": "/dev/null", "AWS_SHARED_CREDENTIALS_FILE": "/dev/null",
		"AWS_RESPONSE_CHECKSUM_VALIDATION": "when_required"} {
		t.Setenv(name, value)
	}
	return s, "s3://bucket"
}

// onGoogle does so for Google Cloud Storage.
func onGoogle(t *testing.T) (*store, string) {
	s := &store{objects: map[string][]byte{}}
	server := httptest.NewServer(http.HandlerFunc(s.google))
	t.Cleanup(server.Close)
	t.Setenv("STORAGE_EMULATOR_HOST", server.URL)
	return s, "gs://bucket"
}

// The same story on both: parts are written, listed, read in splits, and removed.
func TestTablesInObjectStores(t *testing.T) {
	for name, begin := range map[string]func(*testing.T) (*store, string){"S3": onS3,
		"Google": onGoogle} {
		t.Run(name, func(t *testing.T) {
			s, root := begin(t)
			ctx := context.Background()
			out := root + "/tables/harvest"
			for k, format := range []string{"csv", "parquet", "csv"} {
				part, err := shard.CreateLabels(out, shard.Split{Index: k}, format)
				if err != nil {
					t.Fatal(err)
				}
				ids, values := make([]string, 1000), make([]int64, 1000)
				for i := range ids {
					ids[i], values[i] = fmt.Sprintf("r%d", 1000*k+i), 8*int64(1000*k+i)
				}
				if err := part.Write(&shard.Block{IDs: ids}, values); err != nil {
					t.Fatal(err)
				}
				if err := part.Close(); err != nil {
					t.Fatal(err)
				}
			}
			// More than an uploader sends at once.
			long := strings.Repeat("0123456789abcde\n", 1<<20)
			if err := shard.WriteFile(ctx, out+"/_long", []byte(long)); err != nil {
				t.Fatal(err)
			}
			if back, err := shard.ReadFile(ctx, out+"/_long"); err != nil || string(back) != long {
				t.Errorf("%d bytes came back of %d, %v", len(back), len(long), err)
			}
			if s.parts == 0 {
				t.Error("it was sent in one piece")
			}
			for _, path := range []string{out, root + "/tables", out + "/part-*",
				out + "/part-0000[0-2].*"} {
				src, splits, err := shard.Plan(ctx,
					shard.Source{Paths: []string{path}, ID: "id", SplitRows: 300})
				if err != nil {
					t.Fatal(err)
				}
				row := 0
				for _, split := range splits {
					_, err := src.Each(ctx, split, func(b *shard.Block) error {
						for i := range b.X.Rows {
							if b.IDs[i] != fmt.Sprintf("r%d", row) || b.X.F64[i] != 8*float64(row) {
								return fmt.Errorf("row %d is %s, %v", row, b.IDs[i], b.X.F64[i])
							}
							row++
						}
						return nil
					})
					if err != nil {
						t.Fatal(err)
					}
				}
				if row != 3000 || len(splits) < 7 {
					t.Errorf("%s: %d rows in %d splits", path, row, len(splits))
				}
				stamps, err := shard.Stamps(ctx, splits)
				if err != nil || len(stamps) != 3 || stamps[0].Size == 0 ||
					!stamps[0].Changed.Equal(changed) {
					t.Errorf("%+v, %v", stamps, err)
				}
			}
			for range 2 {
				if err := shard.Remove(ctx, out+"/_long"); err != nil {
					t.Error(err)
				}
			}
			names, err := shard.List(ctx, out)
			want := []string{out + "/part-00000.csv", out + "/part-00001.parquet",
				out + "/part-00002.csv"}
			if err != nil || !slices.Equal(names, want) {
				t.Errorf("%v, %v", names, err)
			}
			if _, err := shard.ReadFile(ctx, out+"/nothing"); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("a file that is not there: %v", err)
			}
			if _, _, err := shard.Plan(ctx,
				shard.Source{Paths: []string{root + "/nothing"}}); !fault.IsInput(err) {
				t.Errorf("nothing there: %v", err)
			}
		})
	}
}

// Rounds leave their states there too, and go on from them.
func TestRoundsInObjectStores(t *testing.T) {
	for name, begin := range map[string]func(*testing.T) (*store, string){"S3": onS3,
		"Google": onGoogle} {
		t.Run(name, func(t *testing.T) {
			_, root := begin(t)
			table := root + "/table/rows.csv"
			if err := shard.WriteFile(t.Context(), table, []byte("a,b\n1,2\n3,4\n")); err != nil {
				t.Fatal(err)
			}
			src, splits, err := shard.Plan(t.Context(), shard.Source{Paths: []string{table}})
			if err != nil {
				t.Fatal(err)
			}
			r, err := engine.New(engine.Options{Work: root + "/work"})
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			for range 2 {
				if sv, err := survey.Run(t.Context(), r, src, splits); err != nil || sv.Rows != 2 {
					t.Fatalf("%+v, %v", sv, err)
				}
			}
			if left, err := shard.List(t.Context(), root+"/work"); err != nil || len(left) < 2 {
				t.Errorf("%v, %v", left, err)
			}
		})
	}
}
