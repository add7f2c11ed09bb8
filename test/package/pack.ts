import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The path of the packed tarball. */
    tarball: string
    /** The folder that it was unpacked to. */
    unpacked: string
  }
}

/** When a source of the build last changed. */
const changed = (): number =>
  Math.max(
    ...['tsconfig.base.json', 'tsconfig.build.json', 'scripts', 'src']
      .flatMap((root) =>
        statSync(root).isFile()
          ? [root]
          : readdirSync(root, { recursive: true, encoding: 'utf8' }).map((file) => join(root, file)),
      )
      .map((file) => statSync(file).mtimeMs),
  )

const isBuilt = (): boolean => {
  const built = statSync('dist/index.js', { throwIfNoEntry: false })
  return built !== undefined && built.mtimeMs > changed()
}

/** Packs the package once for all tests of it, as `npm publish` would. `npm test` has built it already. */
export const setup = (project: TestProject): (() => void) => {
  if (!isBuilt()) execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' })
  const folder = mkdtempSync(join(tmpdir(), 'modelrest-pack-'))
  execFileSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder])
  const [name, ...more] = readdirSync(folder)
  if (name === undefined || more.length > 0) throw new Error(`npm pack made ${[name, ...more].join(', ')}.`)
  execFileSync('tar', ['-xzf', name], { cwd: folder })
  project.provide('tarball', join(folder, name))
  project.provide('unpacked', join(folder, 'package'))
  return () => rmSync(folder, { recursive: true })
}
