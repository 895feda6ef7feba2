package images

import "testing"

// A picture has up to 65535 pixels a side, the most that JPEG has.
func TestLongestSide(t *testing.T) {
	a, folder := album(t, Limits{})
	write(t, folder, "most.png", pixelBomb(t, maxSide, 1))
	write(t, folder, "more.png", pixelBomb(t, maxSide+1, 1))
	if _, _, err := a.Thumbnail(t.Context(), "most.png", 64); err != nil {
		t.Errorf("at the limit: %v", err)
	}
	_, _, err := a.Thumbnail(t.Context(), "more.png", 64)
	refused(t, err, "more.png", "65536 × 1")
}
