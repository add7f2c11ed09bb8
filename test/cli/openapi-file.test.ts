import { chmodSync, lstatSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { naming } from '../naming.ts'
import { shell } from '../package/shell.ts'
import { apiTitled, filesIn, modelrest, program, workFolder } from './client-runs.ts'

/** Longer than what a pipe holds, and than the files of a shell that has a limit for them. */
const long = apiTitled(`'x'.repeat(200_000)`)
const command = `'${program[0]}' '${program[1]}'`
const write = ['openapi', '--output', 'api.json']

test.each(['> /dev/full', '> cut.json'])('what cannot be written to stdout fails: %s', async (target) => {
  const folder = workFolder({ 'api.mjs': long })
  const { code, output } = await shell(`ulimit -f 8; ${command} openapi ${target}`, folder)
  expect(output.split('\n')).toEqual([expect.stringMatching(naming('stdout')), ''])
  expect(output).toMatch(/no space left on device|file too large/)
  expect(code).toBe(1)
})

test('a reader that stops reading is no failure', async () => {
  const folder = workFolder({ 'api.mjs': long })
  const line = `{ ${command} openapi; echo "code $?" >&2; } | head -c 1`
  expect(await shell(line, folder)).toEqual({
    code: 0,
    output: expect.stringContaining('code 0\n'),
    out: '{',
  })
})

test('a disk that is full leaves the document before as it was', async () => {
  const folder = workFolder({ 'api.mjs': long, 'api.json': 'before' })
  const { code, output } = await shell(`ulimit -f 8; ${command} ${write.join(' ')}`, folder)
  expect(output.split('\n')).toEqual([expect.stringMatching(naming('api.json')), ''])
  expect(output).toMatch(/file too large/i)
  expect(code).toBe(1)
  expect(readFileSync(join(folder, 'api.json'), 'utf8')).toBe('before')
  expect(Object.keys(filesIn(folder)).toSorted()).toEqual(['api.json', 'api.mjs', 'openapi.json'])
})

test('a link stays one, and a file keeps its mode', async () => {
  const folder = workFolder({ 'api.mjs': apiTitled(`'Shop'`), 'real.json': '{}' })
  chmodSync(join(folder, 'real.json'), 0o640)
  symlinkSync('real.json', join(folder, 'api.json'))
  expect(await modelrest(folder, write)).toMatchObject({ code: 0 })
  expect(lstatSync(join(folder, 'api.json')).isSymbolicLink()).toBe(true)
  expect(readFileSync(join(folder, 'real.json'), 'utf8')).toContain('Shop')
  expect(statSync(join(folder, 'real.json')).mode & 0o777).toBe(0o640)
  expect(Object.keys(filesIn(folder)).toSorted()).toEqual(['api.mjs', 'openapi.json', 'real.json'])
})

test('what is not a file is written as it is', async () => {
  const folder = workFolder({ 'api.mjs': apiTitled(`'Shop'`) })
  const { out } = await shell(`${command} openapi --output /dev/stdout | cat`, folder)
  expect(JSON.parse(out)).toMatchObject({ info: { title: 'Shop' } })
})

test('--check compares what the document says, and not how it is written', async () => {
  const folder = workFolder({ 'api.mjs': apiTitled(`'Shop'`) })
  const check = () => modelrest(folder, [...write, '--check'])
  const file = join(folder, 'api.json')
  await modelrest(folder, write)
  const text = readFileSync(file, 'utf8')
  const { info, ...others } = JSON.parse(text)
  for (const same of [text.replaceAll('\n', '\r\n'), `\uFEFF${text}`, JSON.stringify({ ...others, info })]) {
    writeFileSync(file, same)
    expect(await check()).toMatchObject({ code: 0, err: '' })
  }
  for (const other of [text.replace('Shop', 'shop'), text.slice(0, -3), '']) {
    writeFileSync(file, other)
    const { code, err } = await check()
    const names = ['api.json', 'modelrest openapi --output api.json']
    expect([code, err]).toEqual([1, expect.stringMatching(naming(...names))])
  }
})
