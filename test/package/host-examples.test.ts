import { once } from 'node:events'
import { globSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { describeEach, type Subject } from '../needed-program.ts'
import { serving } from '../readme/server.ts'
import { emptyFolder, program } from './folders.ts'
import { install, installOthers } from './installed.ts'
import { pinned } from './pinned.ts'
import { succeed } from './shell.ts'

/** Other tests run these, on their platforms. */
const elsewhere = ['bun.ts', 'cloudflare.ts', 'deno.ts']

/** The packages that each example needs beside modelrest. */
const packages: Readonly<Record<string, readonly string[]>> = {
  'express.ts': ['express'],
  'hono.ts': ['hono', '@hono/node-server'],
  'nest.ts': ['@nestjs/common', '@nestjs/core', '@nestjs/platform-express', 'reflect-metadata', 'rxjs'],
  'node.ts': [],
}

/** The same example with the version before. */
const nest11 = [
  ...['common', 'core', 'platform-express'].map((name) => `@nestjs/${name}@11`),
  ...['reflect-metadata', 'rxjs'].map(pinned),
]

const runs: readonly Subject<readonly string[]>[] = [
  ...Object.entries(packages),
  ['nest.ts', nest11, 'registry'],
]

/** Its decorators are not JavaScript. */
const compiled = 'nest.ts'
const options =
  '--types node --target es2023 --module nodenext --strict --experimentalDecorators --emitDecoratorMetadata'

const exampleOf = (file: string): string => readFileSync(`examples/hosts/${file}`, 'utf8')

test('each example is here, and has at most 60 lines', () => {
  const all = [...Object.keys(packages), ...elsewhere]
  expect(
    globSync('examples/hosts/*.ts')
      .map((path) => basename(path))
      .toSorted(),
  ).toEqual(all.toSorted())
  const long = all.filter((file) => exampleOf(file).split('\n').length > 60)
  expect(long).toEqual([])
})

/** Packages of other hosts and of ORMs. */
const others = ['fastify', 'express', 'hono', 'drizzle-orm']

describeEach(runs, '%s', (needed, file) => {
  test(`serves with ${needed.join(' and ') || 'no other package'} installed`, async () => {
    const folder = emptyFolder({
      'package.json': '{ "private": true, "type": "module" }',
      [file]: exampleOf(file),
    })
    try {
      if (needed === nest11) await installOthers(folder.path, needed)
      else install(folder.path, needed)
      const installed = readdirSync(join(folder.path, 'node_modules'))
      const has = (name: string) => needed.some((one) => one.includes(name))
      expect(others.filter((name) => installed.includes(name) && !has(name))).toEqual([])
      if (file === compiled) {
        install(folder.path, ['typescript', '@types/node', '@types/express'])
        await succeed(`${program('tsc')} ${file} ${options}`, folder.path)
      }
      const main = file === compiled ? file.replace('.ts', '.js') : file
      const { child, origin, written, stop } = await serving(
        `${program('node')} ${main}`,
        folder.path,
        '/hello',
      )
      onTestFinished(stop)
      expect(written()).toContain(new URL(origin).host)
      const created = await fetch(`${origin}/api/tasks/`, {
        method: 'POST',
        body: JSON.stringify({ title: 'Write a test' }),
        headers: { 'content-type': 'application/json' },
      })
      expect([created.status, await created.json()]).toMatchObject([201, { title: 'Write a test' }])
      expect(await (await fetch(`${origin}/api/tasks/?q=title=write`)).json()).toMatchObject({ count: 1 })
      const document = (await (await fetch(`${origin}/api/openapi.json`)).json()) as { servers: unknown }
      expect(document.servers).toEqual([{ url: '/api' }])
      expect((await fetch(`${origin}/api/tasks/7`)).status).toBe(404)
      expect(await (await fetch(`${origin}/hello`)).text()).toContain('anonymous')
      child.kill('SIGTERM')
      // Nest ends its process by the signal that it has received.
      expect(await once(child, 'exit')).toEqual(file === 'nest.ts' ? [null, 'SIGTERM'] : [0, null])
    } finally {
      folder.remove()
    }
  })
})
