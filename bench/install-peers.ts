// npm run bench:peers [-- remult feathers]: installs what `npm run bench` compares modelrest with, each in its own folder.
import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'

const folder = new URL('peers/', import.meta.url)
const all = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())
const asked = process.argv.slice(2)
const env = { ...process.env, DO_NOT_TRACK: '1' }

for (const { name } of all.filter((entry) => asked.length === 0 || asked.includes(entry.name))) {
  console.log(`\n> ${name}`)
  const run = (...args: readonly string[]) =>
    execFileSync('npm', args, { cwd: new URL(`${name}/`, folder), stdio: 'inherit', env })
  // No package of theirs runs a script or fetches a binary: drivers bring theirs along.
  run('ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error')
  run('run', 'build', '--loglevel=error')
}
