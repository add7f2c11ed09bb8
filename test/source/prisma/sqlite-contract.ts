import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SqlDriverAdapterFactory } from '@prisma/client/runtime/client'
import Database from 'better-sqlite3'
import { prismaModels } from '../../../src/entry/prisma.ts'
import type { OpenedSource } from '../../../src/testing/index.ts'
import { prismaContract } from './contract.ts'
import { generate } from './generated.ts'
import { createTables } from './sqlite-tables.ts'

/** The published suite of sources on a file of SQLite. */
export const sqliteContract = (
  name: string,
  adapterOf: (url: string) => SqlDriverAdapterFactory,
  { holds, extent }: { readonly holds?: OpenedSource['holds']; readonly extent?: 'complete' } = {},
): void =>
  prismaContract(
    name,
    async () => {
      const { connect, metadata } = await generate('sqlite')
      const folder = mkdtempSync(join(tmpdir(), 'modelrest-'))
      const file = join(folder, 'library.db')
      const database = new Database(file)
      for (const statement of createTables) database.exec(statement)
      const client = connect(adapterOf(`file:${file}`))
      // The suite deletes records one by one, each in a transaction of its own.
      await client.$queryRawUnsafe('pragma synchronous = off')
      return {
        client,
        source: prismaModels(client, metadata),
        execute: (statement) => database.exec(statement),
        ...(holds && { holds }),
        // SQLite stores any number in a decimal.
        unenforced: ['check', 'value'],
        spoil: { statement: `update books set printed_at = 'x'`, field: 'printedAt' },
        close: async () => {
          await client.$disconnect()
          database.close()
          rmSync(folder, { recursive: true })
        },
      }
    },
    extent,
  )
