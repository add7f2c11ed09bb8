import { mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { ownDependency } from '../../../src/cli/init/own-package.ts'
import { emptyFolder, type Folder, writeAll } from '../../package/folders.ts'

const folders: Folder[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) folder.remove()
})

const newFolder = (): string => {
  const folder = emptyFolder()
  folders.push(folder)
  return realpathSync(folder.path)
}

/** A project that has installed the package, with what npm has noted of it. */
const installed = (
  { resolved, asked }: { readonly resolved?: string; readonly asked?: string },
  at = 'node_modules/modelrest',
): { readonly holder: string; readonly dependency: () => string } => {
  const holder = newFolder()
  writeAll(holder, {
    [`${at}/package.json`]: '{}',
    'package.json': JSON.stringify({ dependencies: { ...(asked !== undefined && { modelrest: asked }) } }),
    ...(resolved !== undefined && {
      'node_modules/.package-lock.json': JSON.stringify({ packages: { [at]: { resolved } } }),
    }),
  })
  return { holder, dependency: () => ownDependency({ folder: join(holder, at), version: '1.2.3' }) }
}

const file = (path: string): string => {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, '')
  return path
}

describe('a checkout', () => {
  test('is named by its path', () => {
    const folder = newFolder()
    file(join(folder, 'dist/index.js'))
    expect(ownDependency({ folder, version: '1.2.3' })).toBe(`file:${folder}`)
  })
})

describe('a tarball', () => {
  // npm escapes nothing in such paths.
  test.each(['packed/modelrest-1.2.3.tgz', 'a b/ä#%20?/modelrest.tgz'])('%s is named by its path', (name) => {
    const { holder, dependency } = installed({ resolved: `file:${name}`, asked: `file:${name}` })
    file(join(holder, name))
    expect(dependency()).toBe(`file:${join(holder, name)}`)
  })

  test('is found where the package is the dependency of another', () => {
    const at = 'node_modules/tool/node_modules/modelrest'
    const { holder, dependency } = installed({ resolved: 'file:x.tgz' }, at)
    file(join(holder, 'x.tgz'))
    expect(dependency()).toBe(`file:${join(holder, 'x.tgz')}`)
  })

  test('is found with a package manager that keeps no records of npm', () => {
    const at = 'node_modules/.pnpm/modelrest@file+x.tgz/node_modules/modelrest'
    const { holder, dependency } = installed({ asked: 'file:x.tgz' }, at)
    file(join(holder, 'x.tgz'))
    expect(dependency()).toBe(`file:${join(holder, 'x.tgz')}`)
  })
})

test.each([
  [{ resolved: 'https://registry.test/modelrest/-/modelrest-1.2.3.tgz', asked: '^1.0.0' }, '^1.2.3'],
  [{ resolved: 'https://registry.test/modelrest/-/modelrest-1.2.3.tgz' }, '^1.2.3'],
  [{ asked: 'latest' }, '^1.2.3'],
  [{}, '^1.2.3'],
  [{ asked: 'https://files.test/modelrest.tgz' }, 'https://files.test/modelrest.tgz'],
  [
    { resolved: 'git+ssh://git@host.test/modelrest.git#1234', asked: '^1.0.0' },
    'git+ssh://git@host.test/modelrest.git#1234',
  ],
  [{ asked: 'github:somebody/modelrest' }, 'github:somebody/modelrest'],
])('%j is asked for as %s', (noted, expected) => {
  expect(installed(noted).dependency()).toBe(expected)
})
