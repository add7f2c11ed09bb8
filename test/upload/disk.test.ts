import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { diskStorage, StartError } from '../../src/index.ts'
import { storageContract } from '../../src/testing/storage/index.ts'
import { fileBelow } from '../../src/upload/disk.ts'
import { storageKey } from '../../src/upload/keys.ts'
import { naming } from '../naming.ts'
import { program } from '../package/folders.ts'
import { runner } from '../runner.ts'
import { runs } from '../runs.ts'

const all = mkdtempSync(join(tmpdir(), 'modelrest-disk-'))
afterAll(() => rmSync(all, { recursive: true }))

const once = async function* (text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
}

const filesBelow = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

storageContract(runner, {
  name: 'disk',
  open: () => diskStorage({ directory: join(all, 'made', 'by it') }),
  partBytes: 100_000,
})

describe('disk', () => {
  let outer: string
  let directory: string

  beforeEach(() => {
    outer = mkdtempSync(join(all, 'one-'))
    directory = join(outer, 'media')
    mkdirSync(directory)
  })

  test('no key leaves the folder', async () => {
    const storage = diskStorage({ directory })
    writeFileSync(join(outer, 'secret'), 'secret')
    await storage.put('in/side', once('inside'))
    const names = fc.oneof(
      fc.constantFrom(
        '..',
        '.',
        '',
        'secret',
        'media',
        'in',
        'side',
        '.unfinished',
        outer,
        '~',
        'C:',
        '%2e%2e',
        '..\\..',
      ),
      fc.string({ unit: 'binary', maxLength: 6 }),
    )
    const keys = fc.oneof(
      fc.array(names, { maxLength: 6 }).map((parts) => parts.join('/')),
      fc.array(names, { maxLength: 4 }).map((parts) => parts.join('\\')),
    )
    const contentOf = async (key: string): Promise<string> => {
      const chunks: Uint8Array[] = []
      for await (const chunk of await storage.open(key)) chunks.push(chunk)
      return Buffer.concat(chunks).toString()
    }
    await fc.assert(
      fc.asyncProperty(keys, async (key) => {
        const read = await contentOf(key).catch((error: Error) => error.name)
        expect(read).toBe(key === 'in/side' ? 'inside' : 'StorageError')
        if (key !== 'in/side') {
          const put = await storage.put(key, once('outside')).then(
            () => 'put',
            (error: Error) => error.name,
          )
          expect(put).toBeOneOf(['put', 'RangeError', 'StorageError'])
          if (put === 'put') expect(await contentOf(key)).toBe('outside')
          await storage.delete(key)
          await expect(storage.stat(key)).rejects.toThrow()
        }
        expect(readdirSync(outer).sort()).toEqual(['media', 'secret'])
        expect(readFileSync(join(outer, 'secret'), 'utf8')).toBe('secret')
      }),
      { numRuns: 150 },
    )
    expect(filesBelow(directory)).toEqual([join(directory, 'in/side')])
  })

  test('no key has a place outside the folder, or among unfinished uploads', () => {
    const names = fc.oneof(
      fc.constantFrom('..', '.', '', '.unfinished', '%2e%2e', '..\\..', 'C:'),
      fc.string({ unit: 'binary', maxLength: 8 }),
    )
    const unfinished = join(directory, '.unfinished')
    fc.assert(
      fc.property(fc.array(names, { maxLength: 8 }), fc.constantFrom('/', '\\'), (parts, slash) => {
        const file = fileBelow(directory, parts.join(slash))
        if (file === undefined) return
        expect(relative(directory, file)).toBe(parts.join(slash))
        expect(relative(directory, file)).not.toMatch(/(^|\/)\.\.?(\/|$)/)
        expect(relative(unfinished, file)).toMatch(/^\.\.\//)
      }),
      runs(1000),
    )
  })

  test('deletes no folder, and nothing below a file', async () => {
    const storage = diskStorage({ directory })
    await storage.put('in/side', once('inside'))
    mkdirSync(join(directory, 'empty'))
    for (const key of ['in', 'empty', 'in/side/more']) await storage.delete(key)
    expect(readdirSync(directory).sort()).toEqual(['.unfinished', 'empty', 'in'])
    expect((await storage.stat('in/side')).size).toBe(6)
  })

  test('tells nothing of files that others wrote, and leaves them', async () => {
    const storage = diskStorage({ directory })
    const key = storageKey({ model: 'Product', field: 'photo', type: 'image/png' })
    await storage.put(key, once('ours'))
    for (const name of [
      'photo.png',
      'product/photo/q4/q4.png',
      `deep/${key}`,
      `.git/photo/${key.split('/').slice(2).join('/')}`,
    ]) {
      mkdirSync(join(directory, name, '..'), { recursive: true })
      writeFileSync(join(directory, name), 'theirs')
    }
    const told = []
    for await (const one of storage.list(new Date(Date.now() + 60_000))) told.push(one.key)
    expect(told).toEqual([key])
  })

  test('tells what killed uploads left once it is old enough, and removes it', async () => {
    const storage = diskStorage({ directory })
    await storage.check()
    const left = join(directory, '.unfinished', 'left')
    writeFileSync(left, 'half a fi')
    const [then, now] = [new Date(Date.now() - 7_200_000), new Date()]
    await utimes(left, then, then)
    writeFileSync(join(directory, '.unfinished', 'under-way'), 'half a fi')
    const told = []
    for await (const one of storage.list(new Date(now.getTime() - 3_600_000))) told.push(one)
    expect(told).toMatchObject([{ complete: false, modified: then }])
    await told[0]?.remove()
    expect(readdirSync(join(directory, '.unfinished'))).toEqual(['under-way'])
  })

  test('goes on where its folders are taken away while it runs', async () => {
    const storage = diskStorage({ directory })
    await storage.put('in/side', once('one'))
    rmSync(directory, { recursive: true })
    await storage.put('in/side', once('two'))
    expect((await storage.stat('in/side')).size).toBe(3)
  })

  describe('check', () => {
    test('makes the folder, and leaves nothing in it', async () => {
      const folder = join(outer, 'not', 'yet')
      await diskStorage({ directory: folder }).check()
      expect(filesBelow(folder)).toEqual([])
    })

    test('names a folder that is a file', async () => {
      const file = join(outer, 'file')
      writeFileSync(file, '')
      const checked = diskStorage({ directory: join(file, 'media') }).check()
      await expect(checked).rejects.toThrow(StartError)
      await expect(checked).rejects.toThrow(naming(`${file}/media`, 'ENOTDIR', 'diskStorage({ directory:'))
    })

    test('names a folder in which the process may not write', () => {
      const refusing = mkdtempSync(join(tmpdir(), 'modelrest-disk-'))
      chmodSync(refusing, 0o555)
      // No permission binds the user root, so that another one asks.
      const nobody = 'setpriv --clear-groups --regid 65534 --reuid 65534'
      const written = inAnotherProcess(
        `await diskStorage({ directory: ${JSON.stringify(refusing)} }).check().catch((error) => console.log(error.name, error.message))`,
        process.getuid?.() === 0 ? nobody : '',
      )
      rmSync(refusing, { recursive: true })
      expect(written).toMatch(/^StartError .*\n$/)
      expect(written).toMatch(naming(refusing, 'EACCES', 'diskStorage({ directory:'))
    })
  })

  test('says that it is full, leaves nothing, and goes on', () => {
    // A process may write no file of more than 1000 blocks: what a full disk does, for this process alone.
    const written = inAnotherProcess(
      `const storage = diskStorage({ directory: ${JSON.stringify(directory)} })
       const bytes = async function* (count) { for (let i = 0; i < count; i += 1) yield Buffer.alloc(65536) }
       const put = (key, count) => storage.put(key, bytes(count)).catch((error) => error.name + ' ' + error.kind + ' ' + error.cause.code)
       console.log(await put('too/large', 100), '|', await put('small', 2))`,
      'prlimit --fsize=512000',
    )
    expect(written).toBe('StorageError full EFBIG | 131072\n')
    expect(filesBelow(directory)).toEqual([join(directory, 'small')])
    expect(existsSync(join(directory, 'too/large'))).toBe(false)
  })
})

/** Runs a script that has `diskStorage`, below another program, and gives what it wrote. */
const inAnotherProcess = (script: string, below: string): string => {
  const imports = `import { diskStorage } from ${JSON.stringify(resolve('src/index.ts'))}`
  return execFileSync('sh', ['-c', `exec ${below} ${program('node')} --input-type=module -e "$SCRIPT"`], {
    env: { ...process.env, SCRIPT: `${imports}\n${script}` },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}
