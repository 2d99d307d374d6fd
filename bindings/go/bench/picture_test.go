// SPDX-License-Identifier: MIT OR Apache-2.0

package main

import (
	"bytes"
	"image"
	"image/png"
	"testing"
)

func TestPicturesAreWhatTheStandardLibraryReads(t *testing.T) {
	for manner, buffer := range buffers {
		get, done := buffer()
		d := pictureDecoder{get: get}
		for range 3 {
			for _, file := range pictureFiles() {
				p, err := d.decode(file)
				if err != nil {
					t.Fatal(err)
				}
				want, err := png.Decode(bytes.NewReader(file))
				if err != nil {
					t.Fatal(err)
				}
				if !bytes.Equal(p.pixels, want.(*image.NRGBA).Pix) {
					t.Fatalf("%s: another picture of %d by %d", manner, p.width, p.height)
				}
				done()
			}
		}
	}
}

func TestBrokenPicturesAreErrors(t *testing.T) {
	d := pictureDecoder{get: func(n int) []byte { return make([]byte, n) }}
	file := pictureFiles()[0]
	for n := 0; n < len(file)-16; n += 7 { // the last chunk is not read
		if _, err := d.decode(file[:n]); err == nil {
			t.Fatalf("%d of %d bytes are a picture", n, len(file))
		}
	}
	for n := 0; n < len(file); n += 11 {
		broken := bytes.Clone(file)
		broken[n] ^= 0x55
		d.decode(broken) // does not panic
	}
}
