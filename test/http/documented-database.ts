import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { DrizzleDatabase } from '../../src/source/drizzle/index.ts'
import { fencedBlocks } from '../readme/fenced-blocks.ts'

/** A database as docs/databases.md opens it. */
export interface DocumentedDatabase {
  readonly db: DrizzleDatabase
  close(): Promise<unknown>
}

interface Module {
  readonly db: DrizzleDatabase
  readonly pool?: { end(): Promise<unknown> }
  readonly client?: { end(options: object): Promise<unknown> }
}

/** Its limits of 10 to 20 seconds are longer than a test should take. */
const sooner: readonly (readonly [RegExp, string])[] = [
  [/20_000/, '1000'],
  [/idle_timeout: 10,/, 'idle_timeout: 0.3,'],
]

/**
 * Runs what a block of the page says, but for the limits.
 *
 * @param file the name of the block
 */
export const openAsDocumented = async (file: string, url: string): Promise<DocumentedDatabase> => {
  const block = fencedBlocks(readFileSync('docs/databases.md', 'utf8')).find((one) => one.file === file)
  if (block === undefined) throw new Error(`docs/databases.md has no block ${file}.`)
  mkdirSync(resolve('test/.tmp'), { recursive: true })
  const folder = mkdtempSync(resolve('test/.tmp/documented-'))
  process.env['DATABASE_URL'] = url
  try {
    const text = sooner.reduce((known, [limit, shorter]) => known.replace(limit, shorter), block.text)
    writeFileSync(join(folder, file), text)
    const { db, pool, client }: Module = await import(join(folder, file))
    return { db, close: async () => pool?.end() ?? client?.end({ timeout: 0 }) }
  } finally {
    delete process.env['DATABASE_URL']
    rmSync(folder, { recursive: true })
  }
}
