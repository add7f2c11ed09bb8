import { chmodSync, existsSync, readFileSync } from 'node:fs'
import { delimiter, dirname, join, resolve } from 'node:path'
import { packed, program, writeAll } from './folders.ts'
import { type Ended, shell } from './shell.ts'

/**
 * Runs `prisma generate` in a folder, in which `modelrest-prisma` is installed. Its engine only writes migrations, and would
 * be downloaded.
 *
 * @param main the program of `modelrest-prisma`
 */
export const prismaGenerate = (
  folder: string,
  main: string = resolve('src/prisma-generator/main.ts'),
): Promise<Ended> => {
  const programs = join(folder, 'node_modules/.bin')
  writeAll(programs, { 'modelrest-prisma': `#!/bin/sh\nexec '${program('node')}' '${main}' "$@"\n` })
  chmodSync(join(programs, 'modelrest-prisma'), 0o755)
  return shell(`${program('prisma')} generate`, folder, {
    PATH: [programs, dirname(program('node')), process.env['PATH']].join(delimiter),
    PRISMA_SCHEMA_ENGINE_BINARY: '/bin/true',
  })
}

/** What Prisma 7 reads first. */
export const prismaConfig = `import { defineConfig } from 'prisma/config'

export default defineConfig({ schema: 'prisma/schema.prisma', datasource: { url: 'file:./shop.db' } })
`

/**
 * Generates the client and the metadata in each folder whose files import them, below one that has the packed modelrest: from its own schema, or from that of the
 * example.
 */
export const prismaGenerateFor = async (
  folder: string,
  files: Readonly<Record<string, string>>,
): Promise<void> => {
  const main = packed(folder, 'dist/prisma-generator/main.js')
  const importing = Object.entries(files).filter(([, text]) =>
    text.includes("'./generated/prisma/client.ts'"),
  )
  for (const place of new Set(importing.map(([file]) => dirname(join(folder, file))))) {
    const schema = 'prisma/schema.prisma'
    writeAll(place, {
      'prisma.config.ts': prismaConfig,
      ...(!existsSync(join(place, schema)) && {
        [schema]: readFileSync(join('examples/prisma', schema), 'utf8'),
      }),
    })
    const { code, output } = await prismaGenerate(place, main)
    if (code !== 0) throw new Error(output)
  }
}
