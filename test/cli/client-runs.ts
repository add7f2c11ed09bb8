import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { onTestFinished } from 'vitest'
import { check } from '../../src/cli/check.ts'
import { files } from '../../src/cli/files-clean.ts'
import { generateClient as command } from '../../src/cli/generate-client.ts'
import { init } from '../../src/cli/init.ts'
import { openapi } from '../../src/cli/openapi.ts'
import { run } from '../../src/cli/program.ts'
import { routes } from '../../src/cli/routes.ts'
import { cleanEnvironment } from '../package/shell.ts'

/** A document of one route, that every generator reads in a moment. */
export const smallDocument = {
  openapi: '3.1.0',
  info: { title: 'Notes', version: '1.0.0' },
  paths: {
    '/notes/': {
      get: {
        operationId: 'listNotes',
        tags: ['Note'],
        responses: {
          200: {
            description: 'OK',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/NoteDetail' } } },
          },
        },
      },
    },
  },
  components: {
    schemas: {
      NoteDetail: {
        type: 'object',
        required: ['id'],
        properties: { id: { type: 'integer' }, text: { type: ['string', 'null'] } },
      },
    },
  },
}

/** A new folder whose name holds what shells trip over, removed after the test. It has `openapi.json`. */
export const workFolder = (files: Readonly<Record<string, string>> = {}): string => {
  const outer = mkdtempSync(join(tmpdir(), 'modelrest-test-'))
  onTestFinished(() => rmSync(outer, { recursive: true, force: true }))
  const folder = join(outer, "Jo's $(touch hacked) folder; & more")
  mkdirSync(folder)
  writeFiles(folder, { 'openapi.json': JSON.stringify(smallDocument), ...files })
  return folder
}

/** Writes files below a folder. */
export const writeFiles = (folder: string, files: Readonly<Record<string, string>>): void => {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
}

/** Every file below a folder, with its text. */
export const filesIn = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [path.slice(folder.length + 1), readFileSync(path, 'utf8')]),
  )

/** A folder for a PATH, with programs that are scripts of Node. */
export const programs = (scripts: Readonly<Record<string, string>>): string => {
  const folder = mkdtempSync(join(tmpdir(), 'modelrest-programs-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, script] of Object.entries(scripts)) {
    writeFileSync(join(folder, name), `#!${process.execPath}\n${script}\n`)
    chmodSync(join(folder, name), 0o755)
  }
  return folder
}

/** A program `openapi-generator-cli` that is ready, and generates what a script says. It has `config`, `write` and `fs`. */
export const generatorThat = (script: string): string =>
  programs({
    'openapi-generator-cli': `const fs = require('node:fs')
if (process.argv[2] === 'version') {
  console.log('7.26.0')
  process.exit()
}
const config = JSON.parse(fs.readFileSync('config.json', 'utf8'))
const write = (files) => {
  for (const [name, text] of Object.entries(files)) {
    const path = config.outputDir + '/' + name
    fs.mkdirSync(path.slice(0, path.lastIndexOf('/')), { recursive: true })
    fs.writeFileSync(path, text)
  }
}
${script}`,
  })

/** How a run ended. */
export interface Told {
  readonly code: number | null
  readonly signal: string | null
  readonly out: string
  readonly err: string
}

/** A run under way. */
export interface Run {
  readonly child: ChildProcess
  readonly told: Promise<Told>
  /** Resolves with what matches when stderr says this. */
  says(text: RegExp): Promise<readonly string[]>
}

/** The program itself, from its sources. */
export const program: readonly [string, string] = [process.execPath, resolve('src/cli/main.ts')]

/** The environment of a run: nothing of what finds generators is taken from this one. */
export const environment = (env: Readonly<Record<string, string>>): Record<string, string> => {
  const { OPENAPI_GENERATOR_JAR: _jar, JAVA_HOME: _home, ...rest } = cleanEnvironment()
  return { ...rest, npm_config_user_agent: '', ...env }
}

/** Starts `modelrest …`, from its sources, in a folder. */
export const beginProgram = (
  folder: string,
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Run => {
  const [node, main] = program
  const child = spawn(node, [main, ...words], {
    ...{ cwd: folder, env: environment(env), stdio: ['ignore', 'pipe', 'pipe'] },
  })
  const texts = { out: '', err: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    texts.out += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    texts.err += text
  })
  const told = new Promise<Told>((done, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => done({ code, signal, ...texts }))
  })
  const says = (text: RegExp): Promise<readonly string[]> =>
    new Promise((done, reject) => {
      const look = (): void => {
        const found = text.exec(texts.err)
        if (found !== null) done(found)
      }
      look()
      child.stderr.on('data', look)
      child.on('close', () => reject(new Error(`It never said ${text}:\n${texts.err}`)))
    })
  return { child, told, says }
}

/** What stands on stderr after the steps, each of which is a line that ends in `…`. */
export const afterSteps = (err: string): string => err.split(' …\n').at(-1) ?? ''

/** Starts `modelrest generate-client …` in a folder. */
export const begin = (
  folder: string,
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Run => beginProgram(folder, ['generate-client', ...words], env)

const commands = [init, command, openapi, routes, check, files]

/**
 * Runs `modelrest …` in a folder, without a process of its own: what it starts has the environment. What is told of a
 * process, such as how a signal ends it, is tested by `beginProgram`.
 */
export const modelrest = async (
  folder: string,
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Omit<Told, 'signal'>> => {
  const texts = { out: '', err: '' }
  const before = process.env
  process.env = environment(env)
  try {
    const code = await run(words, commands, {
      folder,
      paint: (_style, text) => text,
      print: (line) => {
        texts.out += `${line}\n`
      },
      note: (line) => {
        texts.err += `${line}\n`
      },
    })
    return { code, ...texts }
  } finally {
    process.env = before
  }
}

/** Runs `modelrest generate-client …` in a folder. */
export const generateClient = (
  folder: string,
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Omit<Told, 'signal'>> => modelrest(folder, ['generate-client', ...words], env)

/** An API module that has a generator without an application, whose document has a title. `title` is an expression. */
export const apiTitled = (title: string): string => `export const api = {
  init: async () => undefined,
  openapi: () => ({ openapi: '3.1.0', info: { title: ${title} }, servers: [], paths: {} }),
  cleanFiles: async () => [],
}
`
