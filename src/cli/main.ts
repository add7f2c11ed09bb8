#!/usr/bin/env node
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 18)) {
  process.stderr.write(
    `modelrest needs Node 22.18 or later, but this is Node ${process.versions.node}. Run it with a newer version: npx --yes --package=node@26 --package=modelrest modelrest\n`,
  )
  process.exit(1)
}
const { begin } = await import('./program.ts')
await begin()
