import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  filesIn,
  generateClient,
  generatorThat,
  inThisProcess,
  smallDocument,
  workFolder,
} from './client-runs.ts'

const python = ['python', '--schema', 'openapi.json']

describe('wrong use', () => {
  test.each([
    [[], 'Name a language: typescript-types, typescript-axios, '],
    [['pyton'], 'There is no language pyton. Did you mean python? Allowed: csharp, '],
    [['toString'], 'There is no language toString.'],
    [['python', '--schema', 'gone.json'], '--schema: there is no file gone.json in '],
    [['python', '--schema', '.'], '--schema: there is no file . in '],
    [
      ['python', '--schema', 'http://127.0.0.1/openapi.json'],
      '--schema takes a file. Get it first: curl --fail --output openapi.json http://127.0.0.1/openapi.json',
    ],
    [
      [...python, '--api-module', 'api.ts'],
      "Option '--schema <file>' cannot be used with option '--api-module <path>'.",
    ],
    [
      [...python, '--api-var', 'api'],
      "Option '--schema <file>' cannot be used with option '--api-var <name>'.",
    ],
    [
      [...python, '--settings', 'settings.ts'],
      "Option '--schema <file>' cannot be used with option '--settings <module>'.",
    ],
    [['python'], 'There is no api.ts or api.js in '],
    [['python', '--api-module', 'gone.ts'], '--api-module: there is no file gone.ts in '],
    [[...python, '--output', ''], '--output takes a folder, as --output ./client.'],
    [
      [...python, '--property', 'packageName'],
      '--property takes a name and a value, as --property packageName=shop: packageName is none.',
    ],
    [
      ['typescript-types', '--schema', 'openapi.json', '--property', 'imutable=true'],
      '--property: openapi-typescript has no imutable. Did you mean immutable?',
    ],
    [
      ['typescript-types', '--schema', 'openapi.json', '--property', 'immutable=yes'],
      '--property immutable=yes: openapi-typescript takes true or false.',
    ],
  ])('%j', async (words, message) => {
    const folder = workFolder()
    const { code, out, err } = await inThisProcess(folder, words)
    expect(err).toContain(message)
    expect([code, out]).toEqual([2, ''])
    expect(readdirSync(folder)).toEqual(['openapi.json'])
  })
})

describe('a document that is given', () => {
  test.each([
    ['a.json', '{', 'is no JSON: '],
    [
      'a.yaml',
      'openapi: 3.1.0\n',
      'is YAML, and JSON is needed. Convert it: npx js-yaml a.yaml > openapi.json',
    ],
    ['a.json', '[]', 'is no OpenAPI document: it has no "openapi": "3.1.0".'],
    ['a.json', 'null', 'is no OpenAPI document'],
    ['a.json', '{"swagger":"2.0"}', 'is Swagger 2.0. OpenAPI 3.0 or 3.1 is needed.'],
    ['a.json', '{"openapi":"3.2.0","paths":{"/":{}}}', 'is OpenAPI 3.2.0. 3.0 or 3.1 is needed.'],
    ['a.json', '{"openapi":"3.1.0","info":{},"paths":{}}', 'has no paths: there is nothing to call.'],
  ])('%s with %s is refused', async (name, text, message) => {
    const folder = workFolder({ [name]: text })
    const { code, out, err } = await inThisProcess(folder, ['python', '--schema', name])
    expect(err).toContain(`--schema: ${name} ${message}`)
    expect([code, out]).toEqual([1, ''])
  })

  test('may begin with a mark of the byte order', async () => {
    const folder = workFolder({ 'a.json': `\uFEFF${JSON.stringify(smallDocument)}` })
    const PATH = generatorThat(`write({ 'a.py': fs.readFileSync(config.inputSpec, 'utf8')[0] })`)
    expect(await generateClient(folder, ['python', '--schema', 'a.json'], { PATH })).toMatchObject({
      code: 0,
    })
    expect(filesIn(join(folder, 'client'))['a.py']).toBe('{')
  })
})
