import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { bundled } from './bundle.ts'
import { folderWithPackage } from './folders.ts'

/** The modules of Node.js that docs/fetch.md lists. */
const documented = (): readonly string[] => {
  const page = readFileSync('docs/fetch.md', 'utf8')
  const line = page.split('\n').find((text) => text.includes('these modules of Node.js:')) ?? ''
  return [...line.matchAll(/`(node:[\w/]+)`/g)].map(([, name = '']) => name)
}

test('a bundle has no framework and no driver, and imports the documented modules', async () => {
  const folder = folderWithPackage(inject('unpacked'), {
    'worker.ts': readFileSync('examples/hosts/cloudflare.ts', 'utf8'),
  })
  try {
    const { imports, packages } = await bundled(join(folder.path, 'worker.ts'))
    expect(imports.filter((name) => !/valibot/.test(name))).toEqual(documented())
    expect(packages).toMatchInlineSnapshot(`
      [
        "@valibot/to-json-schema",
        "content-disposition",
        "content-type",
        "cookie",
        "fresh",
        "jose",
        "leven",
        "lru-cache",
        "magic-bytes.js",
        "negotiator",
        "streamsearch",
        "valibot",
        "zod",
      ]
    `)
  } finally {
    folder.remove()
  }
})
