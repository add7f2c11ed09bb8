import { describe, expect, it } from 'vitest'
import { ModelRest, stderrLog } from '../../src/entry/host.ts'
import { StartError } from '../../src/error/errors.ts'
import { carriedHost, defineHost, type Host } from '../../src/host/host.ts'
import { memorySource } from '../../src/testing/memory-source.ts'
import { naming } from '../naming.ts'

const complete: Host = {
  base: '/api',
  log: stderrLog,
  headOf: () => undefined,
  mount: () => undefined,
}

const models = memorySource([])

const refusalOf = (start: () => unknown): unknown => {
  try {
    start()
  } catch (error) {
    return error
  }
  return undefined
}

const expectRefusal = (start: () => unknown, ...names: readonly string[]): void => {
  const error = refusalOf(start)
  expect(error).toBeInstanceOf(StartError)
  expect(String(error)).toMatch(naming(...names))
}

/** A host as someone gives it who does not ask the compiler. */
const defineLoosely = (host: unknown, app: unknown = {}): unknown => defineHost(host as Host, app as object)

describe('defineHost', () => {
  it('lets an application carry its host, and returns the application', () => {
    const handler = (): number => 1
    const app = defineHost(complete, handler)
    expect(app).toBe(handler)
    expect(carriedHost(app)).toEqual(complete)
    expect(Object.keys(app)).toEqual([])
    expect(Object.isFrozen(carriedHost(app))).toBe(true)
  })

  it('keeps the optional members', () => {
    const more = { serves: () => false, routes: () => [], readForms: () => undefined, knowsAddresses: false }
    const app = defineHost({ ...complete, ...more } as Host, {})
    expect(carriedHost(app)).toEqual({ ...complete, ...more })
  })

  it.each(['base', 'log', 'headOf', 'mount'])('refuses a host without %s', (name) => {
    expectRefusal(() => defineLoosely({ ...complete, [name]: undefined }), 'defineHost', name)
    expectRefusal(() => defineLoosely({ ...complete, [name]: null }), 'defineHost', name)
  })

  it.each([
    ['base', 1],
    ['log', 'stderr'],
    ['headOf', {}],
    ['mount', 'mount'],
    ['serves', true],
    ['routes', []],
    ['beforeStart', true],
    ['readForms', null],
    ['knowsAddresses', 'false'],
    ['knowsAddresses', null],
  ])('refuses a host whose %s is %j', (name, value) => {
    expectRefusal(() => defineLoosely({ ...complete, [name]: value }), 'defineHost', name)
  })

  it.each([
    ['serve', 'serves'],
    ['headof', 'headOf'],
    ['knowsAdresses', 'knowsAddresses'],
  ])('refuses the unknown member %s, and suggests %s', (name, meant) => {
    expectRefusal(() => defineLoosely({ ...complete, [name]: () => true }), 'defineHost', name, meant)
  })

  it.each(['info', 'warn', 'error'])('refuses a log without %s', (name) => {
    expectRefusal(() => defineLoosely({ ...complete, log: { ...stderrLog, [name]: 1 } }), `log.${name}`)
  })

  it.each([
    'api',
    '/api/',
    '/',
    '//api',
    '/api?',
    '/a b',
    '/#',
    'http://x/api',
    '/a/../b',
    '/a/./b',
    '/é',
    '/%2e',
  ])('refuses the base %j', (base) => {
    expectRefusal(() => defineLoosely({ ...complete, base }), 'base', '/api', JSON.stringify(base))
  })

  it.each([
    ['/é', '/%C3%A9'],
    ['/a/../b', '/b'],
    ['/api/', '/api'],
  ])('suggests for the base %s the normalized %s', (base, meant) => {
    expectRefusal(() => defineLoosely({ ...complete, base }), 'base', meant)
  })

  it.each(['', '/api', '/api/v1', '/:tenant', '/%C3%A9'])('takes the base %j', (base) => {
    expect(carriedHost(defineHost({ ...complete, base }, {}))?.base).toBe(base)
  })

  it.each([undefined, null, 1, 'host'])('refuses %j in place of a host', (host) => {
    expectRefusal(() => defineLoosely(host), 'defineHost', 'base')
  })

  it.each([
    ['frozen', Object.freeze({})],
    ['sealed', Object.seal({})],
    ['a number', 1],
    ['missing', null],
  ])('refuses an app that is %s', (_, app) => {
    expectRefusal(() => defineLoosely(complete, app), 'defineHost', 'app')
  })

  it('refuses an app that already has a host', () => {
    const app = defineHost(complete, {})
    expectRefusal(() => defineHost(complete, app), 'defineHost', 'app')
  })
})

describe('ModelRest', () => {
  it.each([0, 2, undefined])('refuses a host of version %s of the port', (version) => {
    const app = { [Symbol.for('modelrest.host')]: { version, host: complete } }
    expectRefusal(() => carriedHost(app), 'modelrest/host', String(version), '1')
    expectRefusal(() => new ModelRest(app, { models }), 'modelrest/host', String(version), '1')
  })

  it('refuses an application of an unknown kind, and names what it takes', () => {
    expect(carriedHost({})).toBe(undefined)
    expectRefusal(() => new ModelRest({}, { models }), 'Fastify', 'fetchApp', 'defineHost')
  })
})
