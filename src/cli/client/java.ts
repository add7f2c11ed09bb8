import { join } from 'node:path'
import { Failure } from '../failure.ts'
import { programIn, searchPath } from './find-program.ts'
import { installing } from './installing.ts'
import { runProgram } from './run-program.ts'

/** What the OpenAPI generator is compiled for. */
const OLDEST = 11

/**
 * The path of Java: of `JAVA_HOME`, else the one on the PATH.
 *
 * @throws Failure where there is none, or one that is too old
 */
export const javaPath = async (folder: string, signal: AbortSignal): Promise<string> => {
  const path = await foundJava()
  const version = path === undefined ? undefined : await majorOf(path, folder, signal)
  if (path === undefined || version === undefined) throw new Failure(`Java is missing. ${installing('java')}`)
  if (version >= OLDEST) return path
  throw new Failure(
    `Java ${version} at ${path} is too old: the OpenAPI generator needs ${OLDEST} or later. ${installing('java')} JAVA_HOME says which one is used.`,
  )
}

const foundJava = async (): Promise<string | undefined> => {
  const home = process.env['JAVA_HOME']
  const own = home === undefined || home === '' ? undefined : await programIn('java', join(home, 'bin'))
  return own ?? programIn('java', searchPath())
}

/** `openjdk version "17.0.15"` is 17, `java version "1.8.0_392"` is 8. */
const majorOf = async (path: string, folder: string, signal: AbortSignal): Promise<number | undefined> => {
  // macOS has a java that only says where to get one.
  const { lines } = await runProgram({ path, args: ['-version'], folder, signal })
  const [, first, second] = /version "(\d+)(?:\.(\d+))?/.exec(lines.join('\n')) ?? []
  const major = Number(first === '1' ? second : first)
  return Number.isNaN(major) ? undefined : major
}
