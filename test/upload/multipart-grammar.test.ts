import fc from 'fast-check'
import { expect, test } from 'vitest'
import { clientFileName } from '../../src/upload/multipart-grammar.ts'
import { raw } from './encode.ts'
import { read } from './read.ts'

const names: readonly (readonly [given: string, shown: string])[] = [
  ['cover.png', 'cover.png'],
  ['größe 漢字.png', 'größe 漢字.png'],
  ['../../etc/passwd', 'passwd'],
  ['C:\\Users\\me\\cover.png', 'cover.png'],
  ['\\\\server\\share\\x', 'x'],
  ['a\0b\r\n.png', 'ab.png'],
  ['exe\u202egnp.png', 'exegnp.png'],
  ['..', 'file'],
  ['/', 'file'],
  ['  ', 'file'],
  ['a\ud800', 'file'],
]

test.each(names)('%j is shown as %j', (given, shown) => {
  expect(clientFileName(given)).toBe(shown)
})

test('no name is a path', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'/\\.. \0\r\naß漢\u202e\ud800') }), (given) => {
      const shown = clientFileName(given)
      expect(shown).not.toMatch(/[/\\\0\r\n]|^\.*$/)
    }),
  )
})

const forms: readonly (readonly [parameters: string, shown: string | undefined])[] = [
  ['filename="a%22b%22.png"', 'a"b".png'],
  ['filename=plain.png', 'plain.png'],
  ["filename*=UTF-8''gr%C3%B6%C3%9Fe.png", 'größe.png'],
  ['filename="fallback.png"; filename*=UTF-8\'\'gr%C3%B6%C3%9Fe.png', 'größe.png'],
  ["filename*=UTF-8''..%2F..%2Fetc%2Fpasswd", 'passwd'],
  ['filename*=UTF-8\'\'%FF; filename="fallback.png"', 'fallback.png'],
  ['filename="größe 漢字.png"', 'größe 漢字.png'],
  ['filename="a%2fb.png"', 'a%2fb.png'],
]

test.each(forms)('%s names %j', async (parameters, shown) => {
  const [part] = await read([raw([`Content-Disposition: form-data; name="a"; ${parameters}`, 'x'])])
  expect(part?.fileName).toBe(shown)
})
