#!/usr/bin/env node
// Older versions of Node load this file, so its static imports must work in them.
import { oldNode } from '../error/node-version.ts'
import { shellQuoted, withoutPassword } from './quoted.ts'

const old = oldNode(process.versions)
if (old !== undefined) {
  const words = ['modelrest', ...process.argv.slice(2)]
    .map((word) => shellQuoted(withoutPassword(word)))
    .join(' ')
  process.stderr.write(
    `${old.sentence} Run it with a newer version: npx --yes --package=node@26 --package=modelrest ${words}\n`,
  )
  process.exit(1)
}
const { begin } = await import('./program.ts')
await begin()
