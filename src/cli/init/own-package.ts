import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Failure } from '../failure.ts'

/** The package that this program is a part of. */
export interface OwnPackage {
  /** Its folder, links followed. */
  readonly folder: string
  readonly version: string
  /** The versions of other packages that it is tested with, as ranges. */
  readonly tested: Readonly<Record<string, string>>
}

/** @throws Failure where its package.json cannot be read */
export const ownPackage = (): OwnPackage => {
  const folder = folderOf(import.meta.dirname)
  const about: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const read = (name: string): unknown => Reflect.get(Object(about), name)
  return { folder, version: String(read('version')), tested: Object(read('devDependencies')) }
}

const folderOf = (inside: string): string => {
  if (existsSync(join(inside, 'package.json'))) return inside
  const outer = dirname(inside)
  if (outer === inside)
    throw new Failure('The package.json of modelrest is missing. Install modelrest again.')
  return folderOf(outer)
}
