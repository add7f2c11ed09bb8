import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import type { FileStorage, UrlValidity } from '../../upload/storage.ts'
import { matches, same } from '../suite/assertions.ts'
import type { Test } from './subject.ts'

/** Valid for an hour. */
const from = (time: number): UrlValidity => ({ from: new Date(time), until: new Date(time + 3_600_000) })

/** A second ago, because the clock of the storage may differ a little. */
const fromNow = (): UrlValidity => from(Date.now() - 1000)

const signed = (storage: FileStorage, key: string, validity: UrlValidity): Promise<string> => {
  assert.ok(storage.signedUrl, 'The storage does not have signedUrl: remove signedUrls: true.')
  return storage.signedUrl(key, validity)
}

/** Declares the tests of signed URLs. */
export const describeSignedUrls = (test: Test): void => {
  test('a signed URL serves the file to everyone as a download', async ({ storage, put }) => {
    const key = await put(Buffer.from('<script>alert(1)</script>'), 'text/html')
    const response = await fetch(await signed(storage, key, fromNow()))
    same([response.status, await response.text()], [200, '<script>alert(1)</script>'], 'It must be served.')
    const type = response.headers.get('content-type')
    same(type, 'application/octet-stream', 'A browser must not open a page from the storage.')
    matches(
      response.headers.get('content-disposition'),
      /^attachment; filename=[a-z2-7]{26}\.html$/,
      'A browser must save a page, under the last name of its key.',
    )
  })

  test('the same validity gives the same signed URL', async ({ storage, put }) => {
    const key = await put(randomBytes(1))
    const validity = fromNow()
    const [one, other] = [await signed(storage, key, validity), await signed(storage, key, validity)]
    same(one, other, 'signedUrl() must return the same URL, so that caches can use it.')
  })

  test('an expired or changed signed URL, or one with another key, is refused', async ({ storage, put }) => {
    const [one, other] = [await put(randomBytes(1)), await put(randomBytes(1))]
    const url = await signed(storage, one, fromNow())
    const expired = await signed(storage, one, from(Date.now() - 3_700_000))
    await assertRefused(expired, 'that has expired')
    const withOther = url.replace(one, other)
    assert.notEqual(withOther, url, 'signedUrl() must return a URL that contains the key.')
    await assertRefused(withOther, 'with the key of another file')
    for (const [name, changed] of withOneChange(url)) await assertRefused(changed, `with another ${name}`)
  })
}

const assertRefused = async (url: string, what: string): Promise<void> => {
  const { status } = await fetch(url)
  assert.ok([400, 401, 403].includes(status), `The storage must refuse a URL ${what}, not respond ${status}.`)
}

const parameter = /(?<=[?&])([^=&]+)=([^&]+)/g

/** The URL with another last character in one of its query parameters, for each of them. */
const withOneChange = (url: string): readonly (readonly [name: string, changed: string])[] =>
  [...url.matchAll(parameter)].map(({ index, 0: whole, 1: name = '' }) => {
    const end = index + whole.length
    const other = url[end - 1] === '1' ? '2' : '1'
    return [name, `${url.slice(0, end - 1)}${other}${url.slice(end)}`]
  })
