import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'

/** In the place of the cluster: it says when it runs, and ends by itself on nothing but a signal. */
const program = `
process.once('SIGTERM', () => { console.log('told to end'); process.exit(0) })
setInterval(() => {}, 1000)
console.log('runs as ' + process.pid)
`

it('npm run cluster tells the cluster when it is told to end', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'modelrest-npm-'))
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> }
  const file = join(folder, 'examples/shop/cluster/main.ts')
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, program)
  // Nothing is built here: this is about the line of the script alone.
  const own = { private: true, type: 'module', scripts: { cluster: scripts['cluster'], build: 'true' } }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(own))
  const child = spawn('npm', ['run', '--silent', 'cluster'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
    // A group of its own, so that nothing of it outlives the test, whatever happens.
    detached: true,
  })
  try {
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
    await expect.poll(() => output, { timeout: 20_000 }).toMatch(/runs as \d+\n/)
    child.kill('SIGTERM')
    await once(child, 'exit')
    await expect.poll(() => output, { timeout: 5000 }).toContain('told to end')
  } finally {
    try {
      process.kill(-(child.pid ?? 0), 'SIGKILL')
    } catch {
      // All of it has ended.
    }
    rmSync(folder, { recursive: true, force: true })
  }
}, 30_000)
