import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { naming } from '../naming.ts'
import { filesIn, generateClient, generatorThat, smallDocument, workFolder } from './client-runs.ts'

const python = ['python', '--schema', 'openapi.json']

describe('wrong use', () => {
  test.each([
    [[], ['typescript-types', 'typescript-axios', 'python']],
    [['pyton'], ['pyton', 'python', 'csharp']],
    [['toString'], ['toString', 'python', 'csharp']],
    [
      ['python', '--schema', 'gone.json'],
      ['--schema', 'gone.json'],
    ],
    [
      ['python', '--schema', './.'],
      ['--schema', './.'],
    ],
    [
      ['python', '--schema', 'http://127.0.0.1/openapi.json'],
      ['--schema', 'curl --fail --output openapi.json http://127.0.0.1/openapi.json'],
    ],
    [
      [...python, '--api-module', 'api.ts'],
      ['--schema <file>', '--api-module <path>'],
    ],
    [
      [...python, '--api-var', 'api'],
      ['--schema <file>', '--api-var <name>'],
    ],
    [
      [...python, '--settings', 'settings.ts'],
      ['--schema <file>', '--settings <module>'],
    ],
    [['python'], ['api.ts', 'app.ts', 'server.ts', 'src', '--api-module']],
    [
      ['python', '--api-module', 'gone.ts'],
      ['--api-module', 'gone.ts'],
    ],
    [[...python, '--output', ''], ['--output ./client']],
    [
      [...python, '--property', 'packageNam'],
      ['--property packageName=shop', 'packageNam'],
    ],
    [
      ['typescript-types', '--schema', 'openapi.json', '--property', 'imutable=true'],
      ['--property', 'openapi-typescript', 'imutable', 'immutable'],
    ],
    [
      ['typescript-types', '--schema', 'openapi.json', '--property', 'immutable=yes'],
      ['--property immutable=yes', 'openapi-typescript', 'true', 'false'],
    ],
  ])('%j', async (words, names) => {
    const folder = workFolder()
    const { code, out, err } = await generateClient(folder, words)
    expect(err).toMatch(naming(...names))
    expect([code, out]).toEqual([2, ''])
    expect(readdirSync(folder)).toEqual(['openapi.json'])
  })
})

describe('a document that is given', () => {
  test.each([
    ['a.json', '{', ['JSON']],
    ['a.yaml', 'openapi: 3.1.0\n', ['YAML', 'JSON', 'npx js-yaml a.yaml > openapi.json']],
    ['a.json', '[]', ['OpenAPI', '"openapi": "3.1.0"']],
    ['a.json', 'null', ['OpenAPI', '"openapi": "3.1.0"']],
    ['a.json', '{"swagger":"2.0"}', ['Swagger 2.0', 'OpenAPI', '3.0', '3.1']],
    ['a.json', '{"openapi":"3.2.0","paths":{"/":{}}}', ['OpenAPI', '3.2.0', '3.0', '3.1']],
    ['a.json', '{"openapi":"3.1.0","info":{},"paths":{}}', ['paths']],
  ])('%s with %s is refused', async (name, text, names) => {
    const folder = workFolder({ [name]: text })
    const { code, out, err } = await generateClient(folder, ['python', '--schema', name])
    expect(err).toMatch(naming('--schema', name, ...names))
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
