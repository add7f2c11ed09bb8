import { readdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { describe, expect, test } from 'vitest'
import { naming } from '../naming.ts'
import { afterSteps, generateClient, programs, workFolder } from './client-runs.ts'

const python = ['python', '--schema', 'openapi.json']

const oldJava = programs.bind(undefined, {
  java: `console.error('java version "1.8.0_392"')`,
})

describe('what is missing is named before anything is written', () => {
  const wants = async (
    words: readonly string[],
    env: Readonly<Record<string, string>>,
    ...names: (string | number)[]
  ) => {
    const folder = workFolder()
    const { code, out, err } = await generateClient(folder, words, env)
    expect(afterSteps(err)).toMatch(naming(...names))
    expect([code, out]).toEqual([1, ''])
    expect(readdirSync(folder)).toEqual(['openapi.json'])
    return err
  }
  const installJava = 'sudo apt-get install default-jre-headless'
  const installGenerator = 'npm install --save-dev @openapitools/openapi-generator-cli'

  test('the generator and Java', () =>
    wants(
      python,
      { PATH: programs({}) },
      ...['openapi-generator', installGenerator, 'pip install openapi-generator-cli'],
      'OPENAPI_GENERATOR_JAR=/path/openapi-generator-cli.jar',
      ...['Java', installJava],
    ))

  test('the generator alone', async () => {
    const PATH = programs({ java: `console.error('openjdk version "17.0.15" 2025-04-15')` })
    const err = await wants(python, { PATH }, 'openapi-generator', installGenerator)
    expect(err).not.toContain('Java')
  })

  test('Java, for a jar', () =>
    wants(python, { PATH: programs({}), OPENAPI_GENERATOR_JAR: 'openapi.json' }, 'Java', installJava))

  test('Java, where there is a program that only says where to get it', () =>
    wants(
      python,
      {
        PATH: programs({ java: `console.error('Unable to locate a Java Runtime.'); process.exit(1)` }),
        OPENAPI_GENERATOR_JAR: 'openapi.json',
      },
      ...['Java', installJava],
    ))

  test('Java, for a program that needs it', () =>
    wants(
      python,
      { PATH: programs({ 'openapi-generator-cli': 'throw new Error("java runtime is not found in PATH")' }) },
      ...['Java', installJava],
    ))

  test('a Java that is too old', () =>
    wants(python, { PATH: oldJava(), OPENAPI_GENERATOR_JAR: 'openapi.json' }, ...['Java 8', 11, installJava]))

  test('Java is the one of JAVA_HOME', async () => {
    const home = dirname(oldJava())
    await wants(
      python,
      { PATH: oldJava(), JAVA_HOME: home, OPENAPI_GENERATOR_JAR: 'openapi.json' },
      ...['Java 8', 'JAVA_HOME'],
    )
  })

  test('a jar that is not there', () =>
    wants(python, { OPENAPI_GENERATOR_JAR: 'gone.jar' }, 'OPENAPI_GENERATOR_JAR', 'gone.jar'))

  test('a generator that does not read OpenAPI 3.1', () =>
    wants(
      python,
      { PATH: programs({ 'openapi-generator': `console.log('6.6.0')` }) },
      ...['openapi-generator 6.6.0', 'OpenAPI 3.1', '7.0', installGenerator],
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
      ...['openapi-generator', 3, 'No network.'],
    ))

  test('a package runner', () =>
    wants(['typescript-types', '--schema', 'openapi.json'], { PATH: programs({}) }, ...['npx', 'npm']))
})
