import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { diskStorage } from '../../src/upload/disk.ts'

/** What was asked of the file system, in its order, and what it is to refuse. */
const system = vi.hoisted(() => ({
  acts: [] as string[],
  refuse: (_act: string): string | undefined => undefined,
  root: '',
}))

type Data = AsyncIterable<Uint8Array>

const acted = (name: string, path: string): void => {
  const place = relative(system.root, path).replace(/^\.unfinished\/.+/, 'unfinished') || '.'
  const act = `${name} ${place}`
  system.acts.push(act)
  const code = system.refuse(act)
  if (code !== undefined) throw Object.assign(new Error(`${code}: as the test has it`), { code })
}

vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof import('node:fs/promises')>()
  const watched = (handle: FileHandle, path: string): FileHandle =>
    new Proxy(handle, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name)
        if (typeof member !== 'function') return member
        return async (...args: readonly unknown[]) => {
          if (name === 'sync') acted(name, path)
          return await Reflect.apply(member, target, args)
        }
      },
    })
  return {
    ...real,
    open: async (path: string, flags: string) => watched(await real.open(path, flags), path),
    writeFile: async (path: string, data: Data, options: { readonly flush?: boolean }) => {
      acted('writeFile', path)
      await real.writeFile(path, data, options)
      if (options.flush === true) acted('sync', path)
    },
    rename: async (from: string, to: string) => {
      acted('rename', to)
      await real.rename(from, to)
    },
  }
})

const bytes = async function* (): AsyncGenerator<Uint8Array> {
  yield Buffer.from('one')
  yield Buffer.from('two')
}

let directory: string

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'modelrest-faults-'))
  system.root = directory
  system.acts.length = 0
  system.refuse = () => undefined
})

afterEach(() => rmSync(directory, { recursive: true }))

const files = (): readonly string[] =>
  readdirSync(directory, { recursive: true, withFileTypes: true }).flatMap((entry) =>
    entry.isFile() ? [entry.name] : [],
  )

test('a file counts when its content is on the disk, then its name, and the names of new folders', async () => {
  const storage = diskStorage({ directory })
  await storage.put('product/photo/one', bytes())
  const { acts } = system
  const order = ['writeFile unfinished', 'sync unfinished', 'rename product/photo/one', 'sync product/photo']
  const last = order.map((act) => acts.lastIndexOf(act))
  expect(last).toEqual([...last].sort((one, other) => one - other))
  expect(last).not.toContain(-1)
  expect(acts).toEqual(expect.arrayContaining(['sync .', 'sync product']))

  // The folders are known by now: only the file's own is waited for.
  acts.length = 0
  await storage.put('product/photo/two', bytes())
  expect(acts).toEqual([
    'writeFile unfinished',
    'sync unfinished',
    'rename product/photo/two',
    'sync product/photo',
  ])
})

describe.each([
  ['writeFile unfinished', 'ENOSPC', 'full'],
  ['writeFile unfinished', 'EDQUOT', 'full'],
  ['writeFile unfinished', 'EIO', 'unavailable'],
  ['sync unfinished', 'ENOSPC', 'full'],
  ['sync unfinished', 'EIO', 'unavailable'],
  ['rename product/photo/one', 'ENOSPC', 'full'],
  ['rename product/photo/one', 'EACCES', 'unavailable'],
  ['rename product/photo/one', 'ENOENT', 'unavailable'],
  ['sync product/photo', 'EIO', 'unavailable'],
  ['sync product', 'EIO', 'unavailable'],
])('where %s fails with %s', (failing, code, kind) => {
  test(`the storage is ${kind}, nothing is left, and the next file is stored`, async () => {
    const storage = diskStorage({ directory })
    system.refuse = (act) => (act === failing ? code : undefined)
    const refused = await storage.put('product/photo/one', bytes()).catch((error: unknown) => error)
    expect(refused).toMatchObject({ name: 'StorageError', kind, cause: { code } })
    expect(files()).toEqual([])
    system.refuse = () => undefined
    expect(await storage.put('product/photo/one', bytes())).toBe(6)
    expect(files()).toEqual(['one'])
  })
})

test('folders that could not be waited for are waited for by the next file', async () => {
  const storage = diskStorage({ directory })
  await storage.put('product/photo/one', bytes())
  system.refuse = (act) => (act === 'sync other' ? 'EIO' : undefined)
  await storage.put('other/photo/one', bytes()).catch(() => undefined)
  system.refuse = () => undefined
  system.acts.length = 0
  await storage.put('other/photo/two', bytes())
  expect(system.acts).toEqual(expect.arrayContaining(['sync .', 'sync other', 'sync other/photo']))
})
