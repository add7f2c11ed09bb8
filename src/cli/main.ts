#!/usr/bin/env node
// Older versions of Node load this file, so its static imports must work in them.
import { quoted } from './quoted.ts'

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 18)) {
  const words = ['modelrest', ...process.argv.slice(2)].map((word) => quoted(word)).join(' ')
  process.stderr.write(
    `modelrest needs Node 22.18 or later, but this is Node ${process.versions.node}. Run it with a newer version: npx --yes --package=node@26 --package=modelrest ${words}\n`,
  )
  process.exit(1)
}
const { begin } = await import('./program.ts')
await begin()
