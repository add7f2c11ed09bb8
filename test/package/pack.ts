import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The path of the packed tarball. */
    tarball: string
    /** The folder that it was unpacked to: `node_modules/modelrest`, below this repository. */
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

const newFolder = (parent: string): string => {
  mkdirSync(parent, { recursive: true })
  return mkdtempSync(join(parent, 'modelrest-pack-'))
}

/**
 * Packs the package once for all tests of it, as `npm publish` would, and unpacks it once: projects below that folder see it,
 * and what this repository has installed. `npm test` has built it already.
 */
export const setup = (project: TestProject): (() => void) => {
  if (!isBuilt()) execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' })
  const packed = newFolder(tmpdir())
  execFileSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', packed])
  const [name, ...more] = readdirSync(packed)
  if (name === undefined || more.length > 0) throw new Error(`npm pack made ${[name, ...more].join(', ')}.`)
  const tarball = join(packed, name)
  const projects = newFolder(resolve('test/.tmp'))
  // As what npm installs: a test is another user.
  chmodSync(projects, 0o755)
  const unpacked = join(projects, 'node_modules/modelrest')
  mkdirSync(unpacked, { recursive: true })
  execFileSync('tar', ['-xzf', tarball, '--strip-components=1', '-C', unpacked])
  project.provide('tarball', tarball)
  project.provide('unpacked', unpacked)
  return () => {
    for (const folder of [packed, projects]) rmSync(folder, { recursive: true, maxRetries: 5 })
  }
}
