/** The contract of a source through two layers of new names, which end in the names of the library. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@libsql/client'
import Database from 'better-sqlite3'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { drizzle as drizzleLibsql } from 'drizzle-orm/libsql'
import { drizzleModels } from '../../src/entry/drizzle.ts'
import type { ModelSource } from '../../src/entry/source.ts'
import { configureFields } from '../../src/model/setup/field-config.ts'
import { configureRelations } from '../../src/model/setup/relation-config.ts'
import { renamedSource } from '../../src/source/renamed.ts'
import { type OpenedSource, sourceContract } from '../../src/testing/index.ts'
import { createSqlite, sqliteLibrary } from '../contract/library.ts'
import { runner } from '../runner.ts'

const twice = <Types>(source: ModelSource<Types>): ModelSource<Types> => {
  const config = Object.fromEntries(
    source.models.map(({ name, fields, relations }) => {
      const renamed = (all: readonly { readonly name: string }[]) =>
        Object.fromEntries(all.map((one, at) => [one.name, `n${at}${all === fields ? 'f' : 'r'}`]))
      return [name, { fields: renamed(fields), relations: renamed(relations) }]
    }),
  )
  const named = configureRelations(configureFields(source.models, config, new Set()), config, new Set())
  return renamedSource(renamedSource(source, named), source.models)
}

const tested: Readonly<Record<string, () => OpenedSource | Promise<OpenedSource>>> = {
  'a synchronous driver': () => {
    const database = new Database(':memory:')
    for (const statement of createSqlite) database.exec(statement)
    return {
      source: twice(drizzleModels(drizzle(database), sqliteLibrary)),
      close: () => database.close(),
      kill: () => database.close(),
      breakValue: () => {
        database.exec('update books set pages = 9007199254740993')
        return 'pages'
      },
    }
  },
  'an asynchronous driver': async () => {
    const folder = mkdtempSync(join(tmpdir(), 'modelrest-renamed-'))
    const client = createClient({ url: `file:${join(folder, 'library.db')}` })
    await client.executeMultiple(createSqlite.join(';\n'))
    return {
      source: twice(drizzleModels(drizzleLibsql(client), sqliteLibrary)),
      close: () => {
        client.close()
        rmSync(folder, { recursive: true })
      },
      holds: (_field, value) => typeof value !== 'string' || !value.includes('\0'),
      breakValue: async () => {
        await client.execute(`update books set pages = 'many'`)
        return 'pages'
      },
    }
  },
}

for (const [name, open] of Object.entries(tested))
  sourceContract(runner, {
    extent: 'short',
    name: `fields and relations with new names, ${name}`,
    open,
    notTested: () => undefined,
  })
