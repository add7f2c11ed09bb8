import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { languages } from '../../src/cli/client/languages.ts'
import { naming } from '../naming.ts'
import { afterSteps, filesIn, generateClient, programs, smallDocument, workFolder } from './client-runs.ts'
import { onRealGenerator } from './real-generator.ts'

onRealGenerator('clients of the OpenAPI generator', (OPENAPI_GENERATOR_JAR) => {
  const env = { OPENAPI_GENERATOR_JAR }

  describe('the OpenAPI generator', () => {
    test('generates from a document with others beside it, and settings with whatever is in them', async () => {
      const folder = workFolder({
        'whole.json': JSON.stringify({
          ...smallDocument,
          components: { schemas: { NoteDetail: { $ref: 'parts/note.json#/NoteDetail' } } },
        }),
        'parts/note.json': JSON.stringify(smallDocument.components.schemas),
      })
      const words = ['typescript-fetch', '--schema', 'whole.json', '--output', './my client', '--json']
      const { code, out, err } = await generateClient(
        folder,
        [...words, '--property', 'npmName=@shop/client', '--property', 'npmVersion=1.0.0-a,b', '--verbose'],
        env,
      )
      expect([code, err]).toEqual([0, expect.stringContaining(' - writing file ')])
      expect(JSON.parse(out)).toMatchObject({
        language: 'typescript-fetch',
        generator: 'openapi-generator',
        version: '7.26.0',
      })
      const made = filesIn(join(folder, 'my client'))
      expect(JSON.parse(made['package.json'] ?? '')).toMatchObject({
        name: '@shop/client',
        version: '1.0.0-a,b',
      })
      expect(made['src/models/NoteDetail.ts']).toContain('text?: string | null;')
      expect(Object.keys(made)).toContain('.openapi-generator/FILES')
      // Where it was generated is nobody's business.
      expect(Object.values(made).filter((text) => text.includes(folder))).toEqual([])
    })

    test('replaces a client by one in another language', async () => {
      const folder = workFolder()
      for (const language of ['go', 'ruby'])
        expect(await generateClient(folder, [language, '--schema', 'openapi.json'], env)).toMatchObject({
          code: 0,
        })
      const made = Object.keys(filesIn(join(folder, 'client')))
      expect(made.filter((file) => file.endsWith('.go'))).toEqual([])
      expect(made).toContain('lib/openapi_client.rb')
    })

    test('leaves files alone that are listed as ours', async () => {
      const folder = workFolder()
      const run = () => generateClient(folder, ['python', '--schema', 'openapi.json'], env)
      await run()
      const ignore = join(folder, 'client/.openapi-generator-ignore')
      writeFileSync(ignore, `${readFileSync(ignore, 'utf8')}\nREADME.md\n`)
      writeFileSync(join(folder, 'client/README.md'), 'mine')
      writeFileSync(join(folder, 'client/setup.py'), 'changed by hand')
      expect(await run()).toMatchObject({ code: 0 })
      const made = filesIn(join(folder, 'client'))
      expect(made['README.md']).toBe('mine')
      expect(made['setup.py']).toContain('setup(')
    })

    test('refuses settings that it does not have, by name', async () => {
      const folder = workFolder()
      const words = ['go', '--schema', 'openapi.json', '--property', 'packageNam=shop']
      const { code, err } = await generateClient(folder, words, env)
      expect(afterSteps(err)).toMatch(naming('--property', 'go', 'packageNam', 'packageName'))
      expect(code).toBe(2)
      expect(existsSync(join(folder, 'client'))).toBe(false)
    })

    test('tells what it finds wrong with a document', async () => {
      const folder = workFolder({
        'bad.json': '{"openapi":"3.1.0","info":{"title":"Bad"},"paths":{"/a":{}}}',
      })
      const { code, out, err } = await generateClient(folder, ['python', '--schema', 'bad.json'], env)
      expect([code, out]).toEqual([1, ''])
      const [failed, ...said] = afterSteps(err).split('\n')
      expect(failed).toMatch(naming('openapi-generator', 1))
      expect(said.join('\n')).toContain('attribute info.version is missing')
      expect(err).not.toContain('CodegenConfigurator.java')
      expect(existsSync(join(folder, 'client'))).toBe(false)
    })

    test('may be a program that hands its words to a shell, as the one of npm', async () => {
      const folder = workFolder()
      const wrapper = `const { spawnSync } = require('node:child_process')
const { status } = spawnSync('java -jar "' + process.env.JAR + '"', process.argv.slice(2), { shell: true, stdio: 'inherit' })
process.exit(status)`
      const PATH = `${programs({ 'openapi-generator-cli': wrapper })}:${process.env['PATH']}`
      const words = ['ruby', '--schema', 'openapi.json', '--output', 'a $(touch hacked) b']
      const { code, err } = await generateClient(folder, words, { PATH, JAR: OPENAPI_GENERATOR_JAR })
      expect([code, err]).toEqual([0, expect.any(String)])
      expect(existsSync(join(folder, 'a $(touch hacked) b/lib/openapi_client.rb'))).toBe(true)
      expect(
        Object.keys(filesIn(folder)).filter((file) => file.includes('hacked') && !file.startsWith('a $(')),
      ).toEqual([])
    })

    const recipes = Object.entries(languages).flatMap(([name, { tool, properties }]) =>
      tool === 'openapi-generator' ? [{ name, properties }] : [],
    )

    test('has a generator for every language of the table', { timeout: 300_000 }, () => {
      const folder = workFolder()
      const configs = recipes.map(({ name, properties }) => {
        const path = join(folder, `${name}.json`)
        const outputDir = join(folder, 'clients', name)
        mkdirSync(outputDir, { recursive: true })
        writeFileSync(
          path,
          JSON.stringify({
            generatorName: name,
            inputSpec: 'openapi.json',
            outputDir,
            additionalProperties: properties,
          }),
        )
        return `${name}.json`
      })
      // All in one run of Java.
      execFileSync('java', ['-jar', OPENAPI_GENERATOR_JAR, 'batch', '--threads', '1', ...configs], {
        cwd: folder,
        stdio: 'pipe',
      })
      for (const { name } of recipes) {
        const made = Object.keys(filesIn(join(folder, 'clients', name)))
        expect([name, made.some((file) => /note/i.test(file))]).toEqual([name, true])
      }
    })

    test.each(recipes.filter(({ properties = {} }) => Object.keys(properties).length > 0))(
      'knows the settings that $name gets',
      ({ name, properties }) => {
        const told = execFileSync('java', ['-jar', OPENAPI_GENERATOR_JAR, 'config-help', '-g', name], {
          encoding: 'utf8',
        })
        for (const property of Object.keys(properties ?? {}))
          expect(told).toMatch(new RegExp(`^\\t${property}$`, 'm'))
      },
    )
  })
})
