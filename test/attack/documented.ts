import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fencedBlocks } from '../readme/fenced-blocks.ts'

/** The modules that docs/users.md shows, by the names of its blocks. */
export const documented = async (
  ...files: readonly string[]
): Promise<readonly Record<string, unknown>[]> => {
  const blocks = fencedBlocks(readFileSync('docs/users.md', 'utf8'))
  mkdirSync(resolve('test/.tmp'), { recursive: true })
  const folder = mkdtempSync(resolve('test/.tmp/documented-'))
  try {
    return await Promise.all(
      files.map(async (file) => {
        const block = blocks.find((one) => one.file === file)
        if (block === undefined) throw new Error(`docs/users.md has no block ${file}.`)
        mkdirSync(dirname(join(folder, file)), { recursive: true })
        writeFileSync(join(folder, file), block.text)
        return (await import(join(folder, file))) as Record<string, unknown>
      }),
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
}
