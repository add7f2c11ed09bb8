import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { HttpError } from '../../src/error/errors.ts'
import type { Call } from '../../src/operation/call.ts'
import type { BodyShape } from '../../src/operation/operation.ts'
import { assertAccepts, assertBodyHead, assertNoQuery, isForm } from '../../src/operation/path.ts'
import { naming } from '../naming.ts'

const call = (headers: Record<string, string>, query = ''): Call => ({
  method: 'POST',
  path: '/things',
  params: {},
  query,
  header: (name) => headers[name],
  request: undefined,
  address: undefined,
  requestId: '1',
  scheme: 'http',
  log: { info: () => undefined, warn: () => undefined, error: () => undefined },
})

const body: BodyShape = {
  mediaTypes: ['application/json', 'application/merge-patch+json'],
  required: true,
  schema: { name: 'Thing', schema: {} },
  limit: 1000,
  timeout: 30_000,
}

const status = (act: () => void): number => {
  try {
    act()
  } catch (error) {
    if (error instanceof HttpError) return error.status
    throw error
  }
  return 200
}

describe('the head of a request', () => {
  it.each([
    [undefined, 200],
    ['*/*', 200],
    ['application/json', 200],
    ['application/*;q=0.1', 200],
    ['text/html,application/xhtml+xml,*/*;q=0.8', 200],
    ['application/json;charset=utf-8', 200],
    ['text/html', 406],
    ['application/json;q=0', 406],
    ['text/*, image/png', 406],
  ])('with Accept %s is answered with %i', (accept, expected) => {
    expect(
      status(() => assertAccepts(call(accept === undefined ? {} : { accept }), 'application/json')),
    ).toBe(expected)
  })

  it.each([
    [{ 'content-type': 'application/json', 'content-length': '2' }, 200],
    [{ 'content-type': 'APPLICATION/JSON; charset="UTF-8"', 'content-length': '2' }, 200],
    [{ 'content-type': 'application/merge-patch+json', 'transfer-encoding': 'chunked' }, 200],
    [{ 'content-length': '0' }, 200],
    [{}, 200],
    [{ 'content-length': '2' }, 415],
    [{ 'content-type': 'text/plain', 'content-length': '2' }, 415],
    [{ 'content-type': 'application/jsonp', 'content-length': '2' }, 415],
    [{ 'content-type': 'application/json; charset=utf-16', 'content-length': '2' }, 415],
    [{ 'content-type': 'application/json', 'content-encoding': 'gzip', 'content-length': '2' }, 415],
    [{ 'content-type': ';', 'content-length': '2' }, 415],
    [{ 'content-type': 'application/json', 'content-length': '1000' }, 200],
    [{ 'content-type': 'application/json', 'content-length': '1001' }, 413],
  ])('with %j is answered with %i', (headers, expected) => {
    expect(status(() => assertBodyHead(call(headers as Record<string, string>), body))).toBe(expected)
  })

  const withForm: BodyShape = { ...body, form: { schema: { name: 'ThingForm', schema: {} }, limit: 5000 } }
  const form = 'multipart/form-data; boundary=x'

  it.each([
    [{ 'content-type': form, 'content-length': '5000' }, 200],
    [{ 'content-type': form, 'content-length': '5001' }, 413],
    [{ 'content-type': form, 'transfer-encoding': 'chunked' }, 200],
    [{ 'content-type': 'Multipart/Form-Data', 'content-length': '2' }, 200],
    [{ 'content-type': `${form}; charset=UTF-8`, 'content-length': '2' }, 200],
    [{ 'content-type': `${form}; charset=latin1`, 'content-length': '2' }, 415],
    [{ 'content-type': form, 'content-encoding': 'gzip', 'content-length': '2' }, 415],
    [{ 'content-type': 'application/json', 'content-length': '1000' }, 200],
    [{ 'content-type': 'application/json', 'content-length': '1001' }, 413],
    [{ 'content-type': 'multipart/mixed; boundary=x', 'content-length': '2' }, 415],
    [{ 'content-type': 'application/x-www-form-urlencoded', 'content-length': '2' }, 415],
  ])('with %j is answered with %i where a form is taken, too', (headers, expected) => {
    const head = call(headers as Record<string, string>)
    expect(status(() => assertBodyHead(head, withForm))).toBe(expected)
  })

  it('takes a form for one by its media type, whatever stands around that', () => {
    const said = (type?: string) => isForm(call(type === undefined ? {} : { 'content-type': type }))
    expect([form, 'MULTIPART/FORM-DATA', ' multipart/form-data ;boundary=x'].map(said)).toEqual([
      true,
      true,
      true,
    ])
    expect(
      [undefined, '', ';', 'application/json', 'multipart/form-datax', 'x/multipart/form-data'].map(said),
    ).toEqual(Array(6).fill(false))
    expect(status(() => assertBodyHead(call({ 'content-type': form, 'content-length': '2' }), body))).toBe(
      415,
    )
  })

  it('says which media types it takes', () => {
    const refuse = () => assertBodyHead(call({ 'content-type': 'text/plain' }), body)
    expect(refuse).toThrow(naming('application/json', 'application/merge-patch+json'))
    expect(refuse).not.toThrow(naming('multipart/form-data'))
    const refuseBeside = () => assertBodyHead(call({ 'content-type': 'text/plain' }), withForm)
    expect(refuseBeside).toThrow(
      naming('application/json', 'application/merge-patch+json', 'multipart/form-data'),
    )
  })

  it('answers any header text, and never with a 5xx', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (accept, type) => {
        const head = call({ accept, 'content-type': type, 'content-length': '5' })
        expect([200, 406]).toContain(status(() => assertAccepts(head, 'application/json')))
        expect([200, 415]).toContain(status(() => assertBodyHead(head, body)))
      }),
      { numRuns: 2000 },
    )
  })

  it('refuses query parameters where there are none', () => {
    expect(status(() => assertNoQuery(call({}, '')))).toBe(200)
    expect(status(() => assertNoQuery(call({}, '&')))).toBe(200)
    expect(status(() => assertNoQuery(call({}, 'a=1')))).toBe(400)
  })
})
