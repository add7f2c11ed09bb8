import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from '../failure.ts'
import { upward } from '../project-folders.ts'
import { findProgram } from './find-program.ts'
import { installing } from './installing.ts'

/** A program that runs a program of npm's registry without installing it in the project. */
interface Kind {
  readonly program: string
  /** It takes nothing that a project has installed, and so can run in the project, by the settings of that. */
  readonly isApart: boolean
  /** Before the arguments of the program. */
  args(packages: readonly string[], program: string): readonly string[]
}

/** A package runner that is there. */
export interface PackageRunner {
  readonly path: string
  readonly isApart: boolean
  readonly args: Kind['args']
}

const npx: Kind = {
  program: 'npx',
  isApart: false,
  args: (packages, program) => [
    ...['--yes', '--prefer-offline'],
    ...packages.flatMap((name) => ['--package', name]),
    ...['--', program],
  ],
}

const pnpm: Kind = {
  program: 'pnpm',
  isApart: true,
  args: (packages, program) => [...packages.map((name) => `--package=${name}`), 'dlx', program],
}

const yarn: Kind = {
  program: 'yarn',
  isApart: true,
  args: (packages, program) => [
    'dlx',
    '--quiet',
    ...packages.flatMap((name) => ['--package', name]),
    program,
  ],
}

/** It takes one package, and installs what that asks for. */
const bunx: Kind = { program: 'bunx', isApart: false, args: ([first = '']) => [first] }

/** By the first word of `npm_config_user_agent`, which tells who started this program. Yarn 1 has no `dlx`. */
const byAgent: Readonly<Record<string, Kind>> = { npm: npx, pnpm, bun: bunx }

/** By the file that a project has. Those of yarn 2 and later have this one. */
const byFile: Readonly<Record<string, Kind>> = {
  'package-lock.json': npx,
  'pnpm-lock.yaml': pnpm,
  '.yarnrc.yml': yarn,
  'bun.lock': bunx,
  'bun.lockb': bunx,
}

/**
 * The package runner that the project uses, else npx.
 *
 * @throws Failure where there is none
 */
export const packageRunner = async (folder: string): Promise<PackageRunner> => {
  for (const { program, ...kind } of [usual(folder), npx]) {
    const path = await findProgram([program], folder)
    if (path !== undefined) return { path, ...kind }
  }
  throw new Failure(`The program npx, which comes with npm, is missing. ${installing('npx')}`)
}

const usual = (folder: string): Kind => {
  const [agent = '', version = ''] =
    (process.env['npm_config_user_agent'] ?? '').split(' ', 1)[0]?.split('/') ?? []
  return (agent === 'yarn' && !version.startsWith('1.') ? yarn : byAgent[agent]) ?? kindOf(folder)
}

const kindOf = (folder: string): Kind => {
  for (const each of upward(folder))
    for (const [name, kind] of Object.entries(byFile)) if (existsSync(join(each, name))) return kind
  return npx
}
