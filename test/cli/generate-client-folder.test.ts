import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { naming } from '../naming.ts'
import {
  afterSteps,
  begin,
  filesIn,
  generateClient,
  generatorThat,
  programs,
  workFolder,
  writeFiles,
} from './client-runs.ts'

const python = ['python', '--schema', 'openapi.json']

describe('a folder that is there', () => {
  const one = () =>
    generatorThat(`write({ 'a.py': 'new', 'api/b.py': 'new', '.openapi-generator/FILES': 'a.py' })`)
  const client = ['a.py', 'api/b.py', '.openapi-generator/FILES', '.modelrest-client.json']

  test('is refused before anything runs where it holds what was not generated', async () => {
    const folder = workFolder({ 'client/a.py': 'mine' })
    const { code, err } = await generateClient(folder, python, { PATH: programs({}) })
    expect(err).toMatch(naming('./client', '--output', '--force'))
    expect(code).toBe(1)
    expect(filesIn(join(folder, 'client'))).toEqual({ 'a.py': 'mine' })
  })

  test('keeps with --force what the client does not have', async () => {
    const folder = workFolder({
      'client/a.py': 'mine',
      'client/api/c.py': 'mine',
      'client/.openapi-generator/FILES': '',
    })
    expect(await generateClient(folder, [...python, '--force'], { PATH: one() })).toMatchObject({ code: 0 })
    expect(filesIn(join(folder, 'client'))).toMatchObject({
      'a.py': 'new',
      'api/b.py': 'new',
      'api/c.py': 'mine',
    })
  })

  test('may be made with those above it', async () => {
    const folder = workFolder()
    const { out } = await generateClient(folder, [...python, '--output', 'a/b c'], { PATH: one() })
    expect(out).toMatch(naming('a/b c', 'python', 3, 'openapi-generator 7.26.0'))
    expect(Object.keys(filesIn(join(folder, 'a/b c'))).toSorted()).toEqual(client.toSorted())
  })

  test('may be empty, and the working folder', async () => {
    const folder = workFolder()
    mkdirSync(join(folder, 'empty'))
    const words = ['python', '--schema', '../openapi.json', '--output', '.', '--json']
    const { out } = await generateClient(join(folder, 'empty'), words, { PATH: one() })
    expect(out.split('\n')).toHaveLength(2)
    expect(JSON.parse(out)).toEqual({
      ...{ folder: realpathSync(join(folder, 'empty')), language: 'python' },
      ...{ generator: 'openapi-generator', version: '7.26.0', files: 3 },
    })
    expect(Object.keys(filesIn(join(folder, 'empty'))).toSorted()).toEqual(client.toSorted())
  })

  test('is one of its own: what it gets may be read by everybody who may read others', async () => {
    const folder = workFolder({ 'other/a': '' })
    await generateClient(folder, python, { PATH: one() })
    expect(statSync(join(folder, 'client')).mode).toBe(statSync(join(folder, 'other')).mode)
  })

  test('that is a file is refused', async () => {
    const folder = workFolder({ client: 'mine' })
    const { code, err } = await generateClient(folder, [...python, '--force'], { PATH: one() })
    expect([code, err]).toEqual([1, expect.stringMatching(naming('--output', './client'))])
  })

  test('of a client before loses the files of that client alone', async () => {
    const folder = workFolder()
    const run = (PATH: string) => generateClient(folder, python, { PATH })
    expect(
      await run(
        generatorThat(`write({ 'old/x.py': '1', 'old/y/z.py': '1', 'a.py': '1', 'mixed/m.py': '1' })`),
      ),
    ).toMatchObject({ code: 0 })
    writeFiles(join(folder, 'client'), { 'mixed/mine.py': 'mine', '.git/HEAD': 'mine' })
    expect(await run(one())).toMatchObject({ code: 0 })
    const after = filesIn(join(folder, 'client'))
    expect(Object.keys(after).toSorted()).toEqual([...client, 'mixed/mine.py', '.git/HEAD'].toSorted())
    expect(existsSync(join(folder, 'client/old'))).toBe(false)
    expect(JSON.parse(after['.modelrest-client.json'] ?? '')).toEqual({
      ...{ language: 'python', generator: 'openapi-generator', version: '7.26.0' },
      files: ['.openapi-generator/FILES', 'a.py', 'api/b.py'],
    })
  })

  test('of a client before keeps files that the new client would have', async () => {
    const folder = workFolder()
    const write = (...names: string[]) =>
      generatorThat(names.map((name) => `write({ '${name}': '1' })`).join('\n'))
    await generateClient(folder, python, { PATH: write('a.py') })
    writeFiles(join(folder, 'client'), { 'b.py': 'mine', 'c/d.py': 'mine' })
    const before = filesIn(join(folder, 'client'))
    const refused = await generateClient(folder, python, { PATH: write('b.py') })
    expect(afterSteps(refused.err)).toMatch(naming('./client', 'b.py', '--force'))
    expect(refused.err).not.toContain('d.py')
    const blocked = await generateClient(folder, [...python, '--force'], { PATH: write('b.py/x.py', 'c') })
    expect(afterSteps(blocked.err)).toMatch(naming('./client', 'b.py', 'c/d.py'))
    expect(blocked.err).not.toContain('--force')
    expect([refused.code, blocked.code]).toEqual([1, 1])
    expect(filesIn(join(folder, 'client'))).toEqual(before)
    expect(await generateClient(folder, [...python, '--force'], { PATH: write('b.py') })).toMatchObject({
      code: 0,
    })
    expect(filesIn(join(folder, 'client'))).toMatchObject({ 'b.py': '1', 'c/d.py': 'mine' })
  })

  test('is never left through a link', async () => {
    const folder = workFolder({ 'elsewhere/a.py': 'mine' })
    await generateClient(folder, python, { PATH: one() })
    rmSync(join(folder, 'client/api'), { recursive: true })
    symlinkSync(join(folder, 'elsewhere'), join(folder, 'client/api'))
    const { code, err } = await generateClient(folder, [...python, '--force'], { PATH: one() })
    expect(afterSteps(err)).toMatch(naming('./client', 'api'))
    expect(code).toBe(1)
    expect(filesIn(join(folder, 'elsewhere'))).toEqual({ 'a.py': 'mine' })
  })

  test('may be a link to another disk', async () => {
    const folder = workFolder()
    const elsewhere = mkdtempSync('/dev/shm/modelrest-test-')
    onTestFinished(() => rmSync(elsewhere, { recursive: true }))
    expect(statSync(elsewhere).dev).not.toBe(statSync(folder).dev)
    writeFiles(elsewhere, { 'a.txt': 'mine' })
    symlinkSync(elsewhere, join(folder, 'client'))
    expect(await generateClient(folder, [...python, '--force'], { PATH: one() })).toMatchObject({ code: 0 })
    expect(Object.keys(filesIn(elsewhere)).toSorted()).toEqual([...client, 'a.txt'].toSorted())
  })

  test('tells the generator what it must leave alone', async () => {
    const folder = workFolder()
    const obeys = generatorThat(`const rules = config.outputDir + '/.openapi-generator-ignore'
if (!fs.existsSync(rules)) write({ '.openapi-generator-ignore': '# none', 'README.md': 'new' })
write({ 'a.py': 'new' })`)
    await generateClient(folder, python, { PATH: obeys })
    writeFiles(join(folder, 'client'), {
      '.openapi-generator-ignore': '# mine\nREADME.md\n',
      'README.md': 'mine',
    })
    expect(await generateClient(folder, python, { PATH: obeys })).toMatchObject({ code: 0 })
    expect(filesIn(join(folder, 'client'))).toMatchObject({
      ...{ '.openapi-generator-ignore': '# mine\nREADME.md\n', 'README.md': 'mine', 'a.py': 'new' },
    })
  })

  test('has files where empty folders were, and folders where files of the client before were', async () => {
    const folder = workFolder()
    const write = (...names: string[]) =>
      generatorThat(names.map((name) => `write({ '${name}': '1' })`).join('\n'))
    await generateClient(folder, python, { PATH: write('a.py') })
    mkdirSync(join(folder, 'client/b.py'))
    mkdirSync(join(folder, 'client/c/d'), { recursive: true })
    for (const names of [
      ['b.py', 'c'],
      ['b.py/x.py', 'c/y.py'],
      ['b.py', 'c'],
    ]) {
      expect(await generateClient(folder, python, { PATH: write(...names) })).toMatchObject({ code: 0 })
      expect(Object.keys(filesIn(join(folder, 'client'))).toSorted()).toEqual(
        ['.modelrest-client.json', ...names].toSorted(),
      )
    }
  })

  test('is as it was if a folder has the name of the marker', async () => {
    const folder = workFolder({ 'client/a.py': 'mine', 'client/.modelrest-client.json/x': 'mine' })
    const before = filesIn(join(folder, 'client'))
    const { code, err } = await generateClient(folder, [...python, '--force'], { PATH: one() })
    expect(afterSteps(err)).toMatch(naming('./client', '.modelrest-client.json/x'))
    expect(err).not.toContain('--force')
    expect(code).toBe(1)
    expect(filesIn(join(folder, 'client'))).toEqual(before)
  })

  test.each([1, 2, 3])(
    'that cannot be written is told, and the client mended later: move %i',
    async (failing) => {
      const folder = workFolder()
      const old = generatorThat(`write({ 'a.py': 'old', 'old/y/z.py': 'old', 'api': 'old' })`)
      await generateClient(folder, python, { PATH: old })
      writeFiles(join(folder, 'client'), { 'mine.py': 'mine' })
      const env = { PATH: one(), NODE_OPTIONS: diskFullAt(failing) }
      const { code, err } = await begin(folder, python, env).told
      expect(afterSteps(err)).toMatch(naming('./client', 'no space left on device', '--force'))
      expect(code).toBe(1)
      expect(await generateClient(folder, [...python, '--force'], { PATH: one() })).toMatchObject({ code: 0 })
      expect(Object.keys(filesIn(join(folder, 'client'))).toSorted()).toEqual(
        [...client, 'mine.py'].toSorted(),
      )
      expect(readdirSync(join(folder, 'client'))).not.toContain('old')
    },
  )

  test('that cannot be read is told', async () => {
    const folder = workFolder()
    symlinkSync('circle', join(folder, 'circle'))
    const { code, err } = await generateClient(folder, [...python, '--output', 'circle'], { PATH: one() })
    expect(err).toMatch(naming('--output', 'circle', 'too many symbolic links'))
    expect(code).toBe(1)
  })
})

/** Of the moves to the place of a client, one fails as on a disk that is full. A real one is for root alone. */
const diskFullAt = (failing: number): string => {
  const script = `import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
const real = fs.renameSync
let count = 0
fs.renameSync = (from, to) => {
  count += 1
  if (count === ${failing}) throw Object.assign(new Error('ENOSPC'), { errno: -28, code: 'ENOSPC', path: from })
  return real(from, to)
}
syncBuiltinESMExports()`
  return `--import=data:text/javascript,${encodeURIComponent(script)}`
}
