import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { withFormOperations } from '../../src/cli/client/form-operations.ts'
import { languages } from '../../src/cli/client/languages.ts'
import { onRealGenerator } from '../cli/real-generator.ts'
import { createDatabase, onPostgres } from '../servers/test-database.ts'
import { startService } from './service.ts'

/** How languages begin a type, or what stands for one. */
const classOf = (model: string): RegExp => {
  const words = model.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '[_-]?')
  const begins = 'class|interface|struct|type|defmodule|package|function'
  // The last is R.
  return new RegExp(`\\b(${begins})\\b[^\\n]*?\\b${words}\\b|^${words} <- R6`, 'im')
}

/** The document of the service, as generators get it. */
const document = async (): Promise<string> => {
  const database = await createDatabase('clients')
  try {
    const service = await startService(database.url)
    await service.close()
    return JSON.stringify(withFormOperations(service.document))
  } finally {
    await database.drop()
  }
}

const name = 'clients in every language'

onPostgres(name, () => {
  onRealGenerator(name, (OPENAPI_GENERATOR_JAR) => {
    it('is generated in every language, with its models and a method for forms', {
      timeout: 600_000,
    }, async () => {
      const place = mkdtempSync(join(tmpdir(), 'modelrest-languages-'))
      onTestFinished(() => rmSync(place, { recursive: true, force: true }))
      writeFileSync(join(place, 'openapi.json'), await document())
      const recipes = Object.entries(languages).flatMap(([language, { tool, properties }]) =>
        tool === 'openapi-generator' ? [{ language, properties }] : [],
      )
      for (const { language, properties } of recipes)
        writeFileSync(
          join(place, `${language}.json`),
          JSON.stringify({
            generatorName: language,
            inputSpec: 'openapi.json',
            outputDir: language,
            additionalProperties: properties,
          }),
        )
      const configs = recipes.map(({ language }) => `${language}.json`)
      // All in one run of Java.
      execFileSync('java', ['-jar', OPENAPI_GENERATOR_JAR, 'batch', '--threads', '1', ...configs], {
        cwd: place,
        stdio: 'pipe',
      })
      for (const { language } of recipes) {
        const code = readdirSync(join(place, language), { recursive: true, encoding: 'utf8' })
          .filter((file) => /\.(?!md|ya?ml|json|html|txt)\w+$/.test(file))
          .map((file) => ({ file, path: join(place, language, file) }))
          .filter(({ path }) => statSync(path).isFile())
        const text = code.map(({ path }) => readFileSync(path, 'utf8')).join('\n')
        for (const model of ['MeasurementDetail', 'CategoryUpdate', 'Problem'])
          expect([language, model, classOf(model).test(text)]).toEqual([language, model, true])
        expect([language, /create_?category_?form/i.test(text)]).toEqual([language, true])
        expect([language, code.filter(({ file }) => /inner|inline/i.test(file))]).toEqual([language, []])
      }
    })
  })
})
