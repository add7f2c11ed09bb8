import { readdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { describe, expect, test } from 'vitest'
import { generateClient, programs, workFolder } from './client-runs.ts'

const python = ['python', '--schema', 'openapi.json']

const oldJava = programs.bind(undefined, {
  java: `console.error('java version "1.8.0_392"')`,
})

describe('what is missing is named before anything is written', () => {
  const wants = async (
    words: readonly string[],
    env: Readonly<Record<string, string>>,
    ...messages: string[]
  ) => {
    const folder = workFolder()
    const { code, out, err } = await generateClient(folder, words, env)
    for (const message of messages) expect(err).toContain(message)
    expect([code, out]).toEqual([1, ''])
    expect(readdirSync(folder)).toEqual(['openapi.json'])
    return err
  }
  const noJava = 'Java is missing. Install it: sudo apt-get install default-jre-headless.'

  test('the generator and Java', () =>
    wants(
      python,
      { PATH: programs({}) },
      'The program openapi-generator is missing. Install it: npm install --save-dev @openapitools/openapi-generator-cli, or pip install openapi-generator-cli.',
      'OPENAPI_GENERATOR_JAR=/path/openapi-generator-cli.jar',
      noJava,
    ))

  test('the generator alone', async () => {
    const PATH = programs({ java: `console.error('openjdk version "17.0.15" 2025-04-15')` })
    expect(await wants(python, { PATH }, 'The program openapi-generator is missing.')).not.toContain('Java')
  })

  test('Java, for a jar', () =>
    wants(python, { PATH: programs({}), OPENAPI_GENERATOR_JAR: 'openapi.json' }, noJava))

  test('Java, where there is a program that only says where to get it', () =>
    wants(
      python,
      {
        PATH: programs({ java: `console.error('Unable to locate a Java Runtime.'); process.exit(1)` }),
        OPENAPI_GENERATOR_JAR: 'openapi.json',
      },
      noJava,
    ))

  test('Java, for a program that needs it', () =>
    wants(
      python,
      { PATH: programs({ 'openapi-generator-cli': 'throw new Error("java runtime is not found in PATH")' }) },
      noJava,
    ))

  test('a Java that is too old', () =>
    wants(
      python,
      { PATH: oldJava(), OPENAPI_GENERATOR_JAR: 'openapi.json' },
      'is too old: the OpenAPI generator needs 11 or later. Install it: ',
    ))

  test('Java is the one of JAVA_HOME', async () => {
    const home = dirname(oldJava())
    const err = await wants(
      python,
      { PATH: oldJava(), JAVA_HOME: home, OPENAPI_GENERATOR_JAR: 'openapi.json' },
      'Java 8 at ',
    )
    expect(err).toContain('JAVA_HOME says which one is used.')
  })

  test('a jar that is not there', () =>
    wants(python, { OPENAPI_GENERATOR_JAR: 'gone.jar' }, 'OPENAPI_GENERATOR_JAR: there is no file gone.jar.'))

  test('a generator that does not read OpenAPI 3.1', () =>
    wants(
      python,
      { PATH: programs({ 'openapi-generator': `console.log('6.6.0')` }) },
      'is openapi-generator 6.6.0, which does not read OpenAPI 3.1: 7.0 or later is needed.',
    ))

  test('a generator that does not run', () =>
    wants(
      python,
      {
        PATH: programs({
          'openapi-generator': `console.error('No network.'); process.exit(3)`,
          java: `console.error('version "21"')`,
        }),
      },
      'openapi-generator does not run (exit code 3):\nNo network.',
    ))

  test('a package runner', () =>
    wants(
      ['typescript-types', '--schema', 'openapi.json'],
      { PATH: programs({}) },
      'The program npx is missing. It comes with npm: install that.',
    ))
})
