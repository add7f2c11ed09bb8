import { execFileSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withFormOperations } from '../../src/cli/client/form-operations.ts'
import { languages } from '../../src/cli/client/languages.ts'
import { generateClient } from '../cli/client-runs.ts'
import { onRealGenerator } from '../cli/real-generator.ts'
import { isInstalled } from '../needed-program.ts'
import { succeed } from '../package/shell.ts'
import { createDatabase, onPostgres, type TestDatabase } from '../servers/test-database.ts'
import { type Client, clients } from './clients.ts'
import { type Service, startService } from './service.ts'

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** Long enough for an empty cache of packages. */
const LONG = 600_000

/** Which programs a client needs and this machine does not have. Those that CI always has are an error there. */
const missingFor = ({ language, needs, isInCi }: Client): string | undefined => {
  const missing = needs.find((program) => !isInstalled(program))
  if (missing === undefined) return undefined
  const line = `NOT RUN: the ${language} client, because ${missing} is missing.`
  if (isInCi && process.env['CI'] !== undefined) throw new Error(line)
  process.stderr.write(`\n${line}\n\n`)
  return missing
}

/** How languages begin a type, or what stands for one. */
const classOf = (model: string): RegExp => {
  const words = model.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_')
  return new RegExp(
    `(class|interface|struct|type|defmodule|package|function)\\b[^\\n]*?\\b${words.replaceAll('_', '[_-]?')}\\b`,
    'i',
  )
}

const name = 'clients of the OpenAPI generator against the service'

onPostgres(name, () => {
  onRealGenerator(name, (OPENAPI_GENERATOR_JAR) => {
    let database: TestDatabase
    let service: Service
    let folder: string
    const ran: string[] = []

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'modelrest-clients-'))
      database = await createDatabase('clients')
      service = await startService(database.url)
      writeFileSync(join(folder, 'openapi.json'), JSON.stringify(service.document))
    }, LONG)

    afterAll(async () => {
      process.stderr.write(`\nClients that ran: ${ran.join(', ')}\n\n`)
      await service?.close()
      await database?.drop()
      rmSync(folder, { recursive: true, force: true })
    }, LONG)

    /** What a program has left, as the database sees it. */
    const storedBy = async (language: string): Promise<unknown> => {
      const client = new pg.Client(database.url)
      await client.connect()
      const { rows } = await client.query(
        `select id > 9007199254740992 as beyond, amount::text, counter::text, unit, is_final, labels, notes, remark, kind,
                date_trunc('millisecond', taken_at at time zone 'UTC')::text as taken_at, day::text, details
         from measurements where title = $1`,
        [language],
      )
      await client.end()
      return rows
    }

    it('is generated in every language, with its models and a method for forms', { timeout: LONG }, () => {
      const place = join(folder, 'every language')
      mkdirSync(place)
      writeFileSync(join(place, 'openapi.json'), JSON.stringify(withFormOperations(service.document)))
      const recipes = Object.entries(languages).flatMap(([language, { recipe }]) =>
        recipe.tool === 'openapi-generator' ? [{ language, ...recipe }] : [],
      )
      for (const { language, generator, properties } of recipes)
        writeFileSync(
          join(place, `${language}.json`),
          JSON.stringify({
            generatorName: generator,
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

    describe('the program of a client', () => {
      it.for(clients)(
        'in $language logs in, uploads, creates, lists, updates and deletes, and loses no value',
        { timeout: LONG },
        async (client, { skip }) => {
          const missing = missingFor(client)
          if (missing !== undefined) skip(`${missing} is missing.`)
          const { language, properties = [], build, run } = client
          const place = join(folder, language)
          cpSync(join(import.meta.dirname, language), place, { recursive: true })
          const made = await generateClient(
            folder,
            [
              ...[language, '--schema', 'openapi.json', '--output', join(language, 'client'), '--force'],
              ...properties.flatMap((property) => ['--property', property]),
            ],
            { OPENAPI_GENERATOR_JAR },
          )
          expect(made).toMatchObject({ code: 0 })
          for (const line of build) await succeed(line, place)
          expect(await succeed(`${run} ${service.url} ${PNG}`, place)).toBe('done\n')
          expect(await storedBy(language)).toMatchObject([
            {
              beyond: true,
              amount: '12345678901234567890.12345678901234567891',
              counter: '9223372036854775807',
              unit: 'm',
              is_final: true,
              labels: ['a', 'b'],
              notes: null,
              remark: null,
              kind: null,
              taken_at: '2026-03-29 01:30:00.123',
              day: '2026-03-29',
            },
          ])
          ran.push(language)
        },
      )
    })
  })
})
