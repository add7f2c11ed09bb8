import { Buffer } from 'node:buffer'

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex')

/** The smallest files of their kinds: a picture of one pixel, or what such a file begins with. */
export const samples = {
  png: Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  ),
  gif: Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64'),
  jpeg: hex('ffd8ffe000104a46494600010100000100010000ffdb0043000302020302'),
  exif: hex('ffd8ffe1001845786966000049492a00080000000000000000000000ffd9'),
  webp: Buffer.from('UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==', 'base64'),
  avif: Buffer.concat([hex('00000020'), Buffer.from('ftypavif\0\0\0\0avifmif1miafMA1B')]),
  avis: Buffer.concat([hex('00000020'), Buffer.from('ftypavis\0\0\0\0avifmif1miafMA1B')]),
  svg: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
  prologue: Buffer.from('<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"/>'),
  html: Buffer.from('<!doctype html><script>alert(1)</script>'),
  script: Buffer.from('#!/bin/sh\necho hello\n'),
  text: Buffer.from('Hello, world.\n'),
  pdf: Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1'),
  zip: hex('504b0304 14000000 0000 00000000 00000000 00000000 00000000 0100 0000 61'),
  wav: Buffer.from('RIFF\x24\0\0\0WAVEfmt '),
  mp4: Buffer.concat([hex('00000018'), Buffer.from('ftypisom\0\0\x02\0isomiso2')]),
  empty: Buffer.alloc(0),
} as const
