import { StartError } from './errors.ts'

type Versions = Readonly<Record<string, string | undefined>>

interface OldNode {
  /** Names the version that is needed, and the running one. */
  readonly sentence: string
  /** Whether functions of the language are missing, such as `Map.groupBy`. */
  readonly cannotRun: boolean
}

/** Only if Node is older than package.json allows. Other runtimes have versions of their own. @param versions `process.versions` */
export const oldNode = ({ node, bun, deno }: Versions): OldNode | undefined => {
  const [major = 0, minor = 0] = (node ?? '').split('.').map(Number)
  const isOther = node === undefined || bun !== undefined || deno !== undefined
  if (isOther || major > 22 || (major === 22 && minor >= 18)) return undefined
  return {
    sentence: `modelrest needs Node 22.18 or later, but this is Node ${node}.`,
    cannotRun: major < 22,
  }
}

/** Otherwise, the first missing function would be an error without a cause that the application knows. @throws StartError */
export const assertNode = (versions: Versions = process.versions): void => {
  const old = oldNode(versions)
  if (old?.cannotRun === true)
    throw new StartError(
      `${old.sentence} Update Node, or install it in the project with npm i -D node@26, and start the application with npx node.`,
    )
}
