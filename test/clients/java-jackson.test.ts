import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { generateClient } from '../cli/client-runs.ts'
import { onRealGenerator } from '../cli/real-generator.ts'
import { skipWithout } from '../needed-program.ts'
import { succeed } from '../package/shell.ts'
import { createDatabase, onPostgres } from '../servers/test-database.ts'
import { clients } from './clients.ts'
import { startService } from './service.ts'

const name = "a client of the OpenAPI generator's Java on Jackson"

onPostgres(name, () => {
  onRealGenerator(name, (OPENAPI_GENERATOR_JAR) => {
    it('changes with a PATCH what it names, and no column of JSON beside it', {
      timeout: 600_000,
    }, async (context) => {
      const java = clients.find(({ language }) => language === 'java') ?? expect.unreachable()
      skipWithout(context, ...java.needs)
      const folder = mkdtempSync(join(tmpdir(), 'modelrest-jackson-'))
      const database = await createDatabase('jackson')
      const service = await startService(database.url)
      onTestFinished(async () => {
        await service.close()
        await database.drop()
        rmSync(folder, { recursive: true, force: true })
      })
      writeFileSync(join(folder, 'openapi.json'), JSON.stringify(service.document))
      cpSync(join(import.meta.dirname, 'java'), folder, { recursive: true })
      cpSync(
        join(import.meta.dirname, 'java-jackson', 'Program.java'),
        join(folder, 'program/src/main/java/Program.java'),
      )
      const made = await generateClient(
        folder,
        ['java', '--schema', 'openapi.json', '--output', 'client', '--property', 'library=native'],
        { OPENAPI_GENERATOR_JAR },
      )
      expect(made).toMatchObject({ code: 0 })
      for (const line of java.build) await succeed(line, folder)
      expect(await succeed(`${java.run} ${service.url}`, folder)).toBe('done\n')
    })
  })
})
