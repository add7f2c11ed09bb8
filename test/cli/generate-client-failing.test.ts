import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { naming } from '../naming.ts'
import { shell } from '../package/shell.ts'
import {
  afterSteps,
  begin,
  environment,
  filesIn,
  generateClient,
  generatorThat,
  program,
  workFolder,
} from './client-runs.ts'

const python = ['python', '--schema', 'openapi.json']

test('a failing generator tells why, and leaves nothing behind', async () => {
  const folder = workFolder()
  const PATH = generatorThat(`write({ 'half.py': '1' })
console.log('[main] INFO  o.o.codegen.TemplateManager - writing file half.py')
console.error('Exception in thread "main": attribute paths./notes is missing')
console.error('\\tat org.openapitools.codegen.Main.main(Main.java:66)')
process.exit(7)`)
  const { code, out, err } = await generateClient(folder, python, { PATH })
  expect([code, out]).toEqual([1, ''])
  expect(afterSteps(err).split('\n')).toEqual([
    expect.stringMatching(naming('openapi-generator', 7)),
    'Exception in thread "main": attribute paths./notes is missing',
    '',
  ])
  expect(filesIn(folder)).toEqual({ 'openapi.json': expect.any(String) })
  expect(readdirSync(folder)).toEqual(['openapi.json'])
})

test('a failing generator leaves the client before as it was', async () => {
  const folder = workFolder()
  await generateClient(folder, python, { PATH: generatorThat(`write({ 'a.py': '1' })`) })
  const before = filesIn(folder)
  const failing = generatorThat(`write({ 'a.py': '2' })\nprocess.kill(process.pid, 'SIGKILL')`)
  const { code, err } = await generateClient(folder, python, { PATH: failing })
  expect(afterSteps(err)).toMatch(naming('openapi-generator', 'SIGKILL'))
  expect(code).toBe(1)
  expect(filesIn(folder)).toEqual(before)
})

test('a generator that generates nothing has failed', async () => {
  const folder = workFolder()
  const { code, err } = await generateClient(folder, python, { PATH: generatorThat('') })
  expect(afterSteps(err)).toMatch(naming('openapi-generator 7.26.0'))
  expect(code).toBe(1)
  expect(readdirSync(folder)).toEqual(['openapi.json'])
})

test('each step is told, and what the generator says on request', async () => {
  const folder = workFolder()
  const PATH = generatorThat(`write({ 'a.py': '1' })\nconsole.log('[main] INFO x - writing file a.py')`)
  const { err } = await generateClient(folder, python, { PATH })
  expect(err.split(' …\n')).toEqual([
    expect.stringMatching(naming('openapi-generator')),
    expect.stringMatching(naming('OpenAPI')),
    expect.stringMatching(naming('python', 'openapi-generator 7.26.0')),
    '',
  ])
  const verbose = await generateClient(folder, [...python, '--verbose'], { PATH })
  expect(verbose.err).toBe(`${err}[main] INFO x - writing file a.py\n`)
})

test('on a terminal something turns', async () => {
  const folder = workFolder()
  const PATH = generatorThat(`write({ 'a.py': '1' })\nconsole.log('[main] INFO x - writing file a.py')`)
  const COMMAND = `env -u CI -u OPENAPI_GENERATOR_JAR '${program[0]}' '${program[1]}' generate-client python --schema openapi.json`
  const { code, output } = await shell('script --quiet --return --command "$COMMAND" /dev/null', folder, {
    ...environment({ COMMAND, TERM: 'xterm', PATH: `${PATH}:${process.env['PATH']}` }),
  })
  expect(output).toContain('⠋')
  expect(output).toMatch(/python.*openapi-generator 7\.26\.0 … .*\w+ 1\b/)
  expect(output.split('\n')).toContainEqual(
    expect.stringMatching(naming('./client', 'python', 1, 'openapi-generator 7.26.0')),
  )
  expect(code).toBe(0)
})

const isRunning = (pid: number): boolean => {
  try {
    return !/^State:\tZ/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  '%s ends what runs, and leaves nothing behind',
  async (signal) => {
    const folder = workFolder({ 'client/mine.txt': 'mine' })
    const before = filesIn(folder)
    const TMPDIR = join(folder, 'temporary')
    mkdirSync(TMPDIR)
    // One that starts another, as those of npm and PyPI start Java. Neither ends when it is asked to, but in a while.
    const PATH = generatorThat(`process.on('SIGTERM', () => undefined)
write({ 'half.py': '1' })
const { spawn } = require('node:child_process')
const inner = spawn(process.execPath, ['-e', "process.on('SIGTERM', () => undefined); console.log('started'); setTimeout(() => undefined, 100_000)"])
inner.stdout.once('data', () => console.log('pids ' + process.pid + ' ' + inner.pid + ' end'))`)
    const run = begin(folder, [...python, '--force', '--verbose'], { PATH, TMPDIR })
    const pids = (await run.says(/pids (\d+) (\d+) end/)).slice(1).map(Number)
    expect(pids.map(isRunning)).toEqual([true, true])
    run.child.kill(signal)
    expect(await run.told).toMatchObject({ code: null, signal, out: '' })
    await expect.poll(() => pids.filter(isRunning)).toEqual([])
    expect(filesIn(folder)).toEqual(before)
    expect(readdirSync(join(folder, 'client'))).toEqual(['mine.txt'])
    expect(readdirSync(TMPDIR)).toEqual([])
  },
)

test('an interruption while the project is read leaves nothing behind', async () => {
  const folder = workFolder({
    'api.mjs': `console.error('reading')\nsetTimeout(() => undefined, 100_000)\nawait new Promise(() => undefined)`,
  })
  const TMPDIR = join(folder, 'temporary')
  mkdirSync(TMPDIR)
  const run = begin(folder, ['python'], { PATH: generatorThat(''), TMPDIR })
  await run.says(/OpenAPI/)
  run.child.kill('SIGINT')
  expect(await run.told).toMatchObject({ code: null, signal: 'SIGINT', out: '' })
  expect(readdirSync(TMPDIR)).toEqual([])
  expect(existsSync(join(folder, 'client'))).toBe(false)
})
