#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Writes a WAV file of some seconds of chords that change, in stereo.

usage: tone.py OUTPUT.wav SECONDS SEED
"""
import array
import math
import sys
import wave

RATE = 44100


def main():
    output, seconds, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    table = [int(6000 * math.sin(2 * math.pi * i / 4096)) for i in range(4096)]
    samples = array.array('h')
    notes = (0, 4, 7, 11, 14)
    for i in range(seconds * RATE):
        beat = i * 4 // RATE + seed
        left = right = 0
        for voice in range(3):
            step = 220 * 2 ** ((notes[(beat * (voice + 1)) % 5] + seed % 7) / 12) * 4096 / RATE
            left += table[int(i * step) & 4095]
            right += table[int(i * step * 1.5) & 4095]
        samples.append(left)
        samples.append(right)
    with wave.open(output, 'wb') as out:
        out.setnchannels(2)
        out.setsampwidth(2)
        out.setframerate(RATE)
        out.writeframes(samples.tobytes())


main()
