import { existsSync, mkdirSync, openAsBlob, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { PGlite } from '@electric-sql/pglite'

const modules = new URL('../../node_modules/', import.meta.url)
const { version } = JSON.parse(
  readFileSync(new URL('@electric-sql/pglite/package.json', modules), 'utf8'),
) as { version: string }

/** The files of an empty database. Making them takes four fifths of a start, so that they are kept for later ones. */
const kept = new URL(`.cache/modelrest/pglite-${version}.tar`, modules)

/** Starts PGlite, with nothing in it. */
export const startPglite = async (): Promise<PGlite> => {
  if (existsSync(kept)) return PGlite.create({ loadDataDir: await openAsBlob(kept) })
  const client = await PGlite.create()
  const files = await client.dumpDataDir('none')
  mkdirSync(new URL('.', kept), { recursive: true })
  // Another process may be at the same.
  const own = new URL(`${kept.href}.${process.pid}`)
  writeFileSync(own, new Uint8Array(await files.arrayBuffer()))
  renameSync(own, kept)
  return client
}
