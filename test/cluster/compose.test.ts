import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { nginxConfig } from '../../examples/shop/cluster/proxy.ts'

interface Service {
  readonly build?: { readonly context: string; readonly dockerfile: string }
  readonly image?: string
  readonly environment?: Readonly<Record<string, unknown>>
  readonly ports?: readonly string[]
  readonly volumes?: readonly string[]
  readonly depends_on?: Readonly<Record<string, unknown>>
  readonly healthcheck?: object
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>
  readonly volumes: Readonly<Record<string, null>>
}

const read = (file: string): string => readFileSync(`examples/shop/${file}`, 'utf8')

// No engine of containers runs here: this is what can be said of the file without one.
const { services, volumes } = parse(read('compose.yaml'), { merge: true }) as Compose
const nginx = read('nginx.conf')
const shops = Object.entries(services).filter(([name]) => name.startsWith('shop-'))

it('the containers of the shop are those that nginx knows, at the port where they listen', () => {
  const known = [...nginx.matchAll(/server (shop-\d+):(\d+) /g)].map(([, name, port]) => ({ name, port }))
  expect(known).toEqual(
    shops.map(([name, { environment }]) => ({ name, port: String(environment?.['PORT']) })),
  )
  expect(shops.length).toBeGreaterThan(1)
})

it('each of them is given what the processes of cluster.ts are given, by names that the shop reads', () => {
  const readNames = new Set(
    [...read('environment.ts').matchAll(/\b[A-Z][A-Z_]{3,}\b/g)].map(([name]) => name),
  )
  for (const [, { environment = {} }] of shops) {
    const { NODE_ENV, ...own } = environment
    expect(NODE_ENV).toBe('production')
    expect(Object.keys(own).filter((name) => !readNames.has(name))).toEqual([])
    for (const name of ['DATABASE_URL', 'REDIS_URL', 'SECRET_KEY', 'MEDIA_ROOT', 'TRUST_PROXY', 'AUTH'])
      expect(own).toHaveProperty(name)
  }
  const [one, ...others] = shops.map(([, service]) => service)
  for (const other of others) expect(other).toEqual(one)
})

it('what they wait for, mount and reach is there', () => {
  for (const [name, { depends_on = {}, volumes: mounted = [] }] of Object.entries(services)) {
    for (const other of Object.keys(depends_on)) {
      expect(services, name).toHaveProperty(other)
      expect(services[other]?.healthcheck, `${other}, which ${name} waits for`).toBeDefined()
    }
    for (const mount of mounted) {
      const [from = ''] = mount.split(':')
      if (from.startsWith('./')) expect(read(from)).not.toBe('')
      else expect(volumes, name).toHaveProperty(from)
    }
  }
  const { environment = {}, build } = shops[0]?.[1] ?? {}
  for (const variable of ['DATABASE_URL', 'REDIS_URL']) {
    const host = /[@/]([a-z]+)[:/][^/]*$/.exec(String(environment[variable]))?.[1]
    expect(services, variable).toHaveProperty(host ?? 'nothing')
  }
  expect(build).toEqual({ context: '../..', dockerfile: 'examples/shop/Dockerfile' })
  expect(read('Dockerfile')).toMatch(/CMD \["node", "examples\/shop\/server\.ts"\]/)
  expect(services['nginx']?.ports).toEqual(['127.0.0.1:8080:8080'])
  expect(nginx).toContain('listen 8080;')
})

it('cluster.ts puts other addresses into the same file, and changes nothing else', () => {
  const config = nginxConfig(4711, [5001, 5002], '/a/folder')
  expect(config).toContain('listen 127.0.0.1:4711;')
  expect(config).toContain('  server 127.0.0.1:5001 max_fails=0;\n  server 127.0.0.1:5002 max_fails=0;\n')
  expect(config).not.toMatch(/shop-\d|8080/)
  const others = nginx.split('\n').filter((line) => !/server shop-|listen/.test(line))
  for (const line of others) expect(config).toContain(line)
})
