// SPDX-License-Identifier: MIT OR Apache-2.0

package main

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"image"
	"image/color"
	"image/png"
	"io"
	"slices"
	"time"
)

// A picture a request is decoded and made small: the buffers of a decoder. PNG of 8 bits a channel with alpha;
// compress/zlib inflates, and what it is read into, the rows and the picture, is needed until the answer.

// Decodes pictures, into buffers that get gives. It keeps what zlib needs.
type pictureDecoder struct {
	get      func(n int) []byte
	inflater io.ReadCloser
	data     pictureData
}

// A picture has four bytes a pixel.
type picture struct {
	width, height int
	pixels        []byte
}

var errPicture = errors.New("not a picture of the kind that this decoder reads")

const (
	signature = "\x89PNG\r\n\x1a\n"
	depth8    = 8
	withAlpha = 6
	channels  = 4
)

// pictureData reads what is in the chunks of data, one after another.
type pictureData struct {
	chunk []byte // what is left of the present one
	rest  []byte // what follows it, from its checksum on
}

func (d *pictureData) Read(p []byte) (int, error) {
	for len(d.chunk) == 0 {
		if len(d.rest) < 4 {
			return 0, io.ErrUnexpectedEOF
		}
		kind, body, rest, err := nextChunk(d.rest[4:])
		if err != nil || kind != "IDAT" {
			return 0, io.ErrUnexpectedEOF
		}
		d.chunk, d.rest = body, rest
	}
	n := copy(p, d.chunk)
	d.chunk = d.chunk[n:]
	return n, nil
}

// The first chunk of a file's remainder; rest begins with its checksum.
func nextChunk(file []byte) (kind string, body, rest []byte, err error) {
	if len(file) < 8 {
		return "", nil, nil, errPicture
	}
	length := binary.BigEndian.Uint32(file)
	if uint64(length)+12 > uint64(len(file)) {
		return "", nil, nil, errPicture
	}
	return string(file[4:8]), file[8 : 8+length], file[8+length:], nil
}

func (d *pictureDecoder) decode(file []byte) (picture, error) {
	if !bytes.HasPrefix(file, []byte(signature)) {
		return picture{}, errPicture
	}
	kind, head, rest, err := nextChunk(file[len(signature):])
	if err != nil || kind != "IHDR" || len(head) != 13 || head[8] != depth8 || head[9] != withAlpha || head[12] != 0 {
		return picture{}, errPicture
	}
	p := picture{width: int(binary.BigEndian.Uint32(head)), height: int(binary.BigEndian.Uint32(head[4:]))}
	if p.width == 0 || p.height == 0 || p.width > 1<<14 || p.height > 1<<14 {
		return picture{}, errPicture
	}
	d.data = pictureData{rest: rest}
	if d.inflater == nil {
		d.inflater, err = zlib.NewReader(&d.data)
	} else {
		err = d.inflater.(zlib.Resetter).Reset(&d.data, nil)
	}
	if err != nil {
		return picture{}, err
	}
	stride := p.width * channels
	rows := d.get((stride + 1) * p.height)
	if _, err := io.ReadFull(d.inflater, rows); err != nil {
		return picture{}, err
	}
	p.pixels = d.get(stride * p.height)
	for y := range p.height {
		row := rows[y*(stride+1) : (y+1)*(stride+1)]
		to := p.pixels[y*stride : (y+1)*stride]
		copy(to, row[1:])
		var above []byte
		if y > 0 {
			above = p.pixels[(y-1)*stride : y*stride]
		}
		if err := unfilter(row[0], to, above); err != nil {
			return picture{}, err
		}
	}
	return p, nil
}

// Undoes a row's filter, by the row above or nil.
func unfilter(filter byte, row, above []byte) error {
	if filter > 4 {
		return errPicture
	}
	for i := range row {
		var left, up, corner int
		if i >= channels {
			left = int(row[i-channels])
		}
		if above != nil {
			up = int(above[i])
			if i >= channels {
				corner = int(above[i-channels])
			}
		}
		switch filter {
		case 1:
			row[i] += byte(left)
		case 2:
			row[i] += byte(up)
		case 3:
			row[i] += byte((left + up) / 2)
		case 4:
			row[i] += byte(nearest(left, up, corner))
		}
	}
	return nil
}

// Which of the three neighbours is nearest to what a plane through them has here.
func nearest(left, up, corner int) int {
	toLeft, toUp, toCorner := distance(up, corner), distance(left, corner), distance(left+up, 2*corner)
	switch {
	case toLeft <= toUp && toLeft <= toCorner:
		return left
	case toUp <= toCorner:
		return up
	default:
		return corner
	}
}

func distance(a, b int) int { return max(a-b, b-a) }

// The picture at an eighth of its size.
func (d *pictureDecoder) small(p picture) picture {
	s := picture{width: p.width / 8, height: p.height / 8}
	s.pixels = d.get(s.width * s.height * channels)
	for y := range s.height {
		for x := range s.width {
			for c := range channels {
				sum := 0
				for i := range 64 {
					sum += int(p.pixels[((y*8+i/8)*p.width+x*8+i%8)*channels+c])
				}
				s.pixels[(y*s.width+x)*channels+c] = byte(sum / 64)
			}
		}
	}
	return s
}

// Pictures of a few sizes, always the same.
func pictureFiles() (files [][]byte) {
	for k := range 6 {
		width, height := 160+k*64, 120+k*48
		m := image.NewNRGBA(image.Rect(0, 0, width, height))
		for y := range height {
			for x := range width {
				m.SetNRGBA(x, y, color.NRGBA{byte(x * (k + 1)), byte(y*2 + x/3), byte(x * y / 64), byte(255 - x%32)})
			}
		}
		var file bytes.Buffer
		check(png.Encode(&file, m))
		files = append(files, file.Bytes())
	}
	return files
}

func pictures(manner string, requests int) result {
	files := pictureFiles()
	get, done := buffers[manner]()
	d := pictureDecoder{get: get}
	var r result
	var times []time.Duration
	for i := range requests / 20 {
		began := time.Now()
		p, err := d.decode(files[i%len(files)])
		check(err)
		for _, b := range d.small(p).pixels {
			r.Check += int(b)
		}
		done()
		times = append(times, time.Since(began))
	}
	slices.Sort(times)
	r.P99 = times[len(times)*99/100]
	return r
}
