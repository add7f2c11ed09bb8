import { readFileSync } from 'node:fs'
import { expect, inject, test } from 'vitest'
import { skipWithout, tag } from '../../needed-program.ts'
import { fencedBlocks } from '../../readme/fenced-blocks.ts'
import { program, writeAll } from '../folders.ts'
import { pageProject } from '../page-project.ts'
import { succeed } from '../shell.ts'
import { strictConfig } from '../strict-config.ts'
import { modelrest } from './modelrest.ts'

const section = fencedBlocks(readFileSync('docs/clients.md', 'utf8'), 'A program with openapi-fetch')
const textOf = (language: string): string => section.find((block) => block.language === language)?.text ?? ''

test('docs/clients.md has a program with openapi-fetch that compiles and prints what the page shows', {
  tags: [tag],
}, async (context) => {
  skipWithout(context, 'curl')
  const pages = ['docs/concurrency.md', 'docs/clients.md'] as const
  const { folder, run, start, files } = await pageProject(pages, inject('unpacked'))
  const { origin, close } = await start('server.ts')
  try {
    const [, download = '', generate = ''] = textOf('sh').split('\n')
    const here = (text: string): string => text.replaceAll('localhost:3000', new URL(origin).host)
    await run(here(download))
    expect(await modelrest(folder.path, generate.split(' ').slice(2))).toMatchObject({ code: 0 })
    writeAll(folder.path, {
      'program.ts': here(files['program.ts'] ?? ''),
      'program.json': JSON.stringify({
        compilerOptions: {
          ...strictConfig,
          skipLibCheck: true,
          types: [],
          allowImportingTsExtensions: true,
        },
        include: ['program.ts'],
      }),
    })
    await succeed(`'${program('tsc')}' -p program.json --noEmit`, folder.path)
    expect(await run('npx node program.ts')).toBe(`${textOf('text')}\n`)
  } finally {
    close()
    folder.remove()
  }
})
