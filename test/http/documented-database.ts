import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { DrizzleDatabase } from '../../src/source/drizzle/index.ts'
import { fencedBlocks } from '../readme/fenced-blocks.ts'

const pages = ['docs/databases.md', 'docs/connections.md']

/** A database as one of these pages opens it. */
export interface DocumentedDatabase {
  readonly db: DrizzleDatabase
  close(): Promise<unknown>
}

interface Module {
  readonly db: DrizzleDatabase
  readonly pool: { end(): Promise<unknown> }
}

/** Its limit of 20 seconds is longer than a test should take. */
const sooner = ['20_000', '1000'] as const

/**
 * Runs what a block of the pages says, but for the limits.
 *
 * @param file the name of the block
 */
export const openAsDocumented = async (file: string, url: string): Promise<DocumentedDatabase> => {
  const blocks = pages.flatMap((page) => fencedBlocks(readFileSync(page, 'utf8')))
  const block = blocks.find((one) => one.file === file)
  if (block === undefined) throw new Error(`${pages.join(' and ')} have no block ${file}.`)
  mkdirSync(resolve('test/.tmp'), { recursive: true })
  const folder = mkdtempSync(resolve('test/.tmp/documented-'))
  process.env['DATABASE_URL'] = url
  try {
    const text = block.text.replace(...sooner)
    writeFileSync(join(folder, file), text)
    const { db, pool }: Module = await import(join(folder, file))
    return { db, close: async () => pool.end() }
  } finally {
    delete process.env['DATABASE_URL']
    rmSync(folder, { recursive: true })
  }
}
