import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { generateClient } from '../cli/client-runs.ts'
import { onRealGenerator } from '../cli/real-generator.ts'
import { skipWithout } from '../needed-program.ts'
import { succeed } from '../package/shell.ts'
import { createDatabase, onPostgres, type TestDatabase } from '../servers/test-database.ts'
import { clients } from './clients.ts'
import { type Service, startService } from './service.ts'

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** Long enough for an empty cache of packages. */
const LONG = 600_000

const name = 'clients of the OpenAPI generator against the service'

onPostgres(name, () => {
  onRealGenerator(name, (OPENAPI_GENERATOR_JAR) => {
    let database: TestDatabase
    let service: Service
    let folder: string

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'modelrest-clients-'))
      database = await createDatabase('clients')
      service = await startService(database.url)
      writeFileSync(join(folder, 'openapi.json'), JSON.stringify(service.document))
    }, LONG)

    afterAll(async () => {
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

    describe('the program of a client', () => {
      it.for(clients)(
        'in $language logs in, uploads, creates, lists, updates and deletes, and loses no value',
        { timeout: LONG },
        async (client, context) => {
          skipWithout(context, ...client.needs)
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
        },
      )
    })
  })
})
