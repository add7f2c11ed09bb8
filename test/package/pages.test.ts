import { expect, inject, onTestFinished, test } from 'vitest'
import { skipWithout, tag } from '../needed-program.ts'
import { signInPages } from './examples.ts'
import { pageProject } from './page-project.ts'

/** Pages with one server, whose requests the page shows: their files, and how many requests there are. */
const pages: readonly (readonly [
  page: string | readonly [string, ...string[]],
  files: readonly string[],
  requests: number,
])[] = [
  ['docs/audit.md', ['models.ts', 'server.ts', 'tenants/audit-entry.js'], 3],
  ['docs/computed.md', ['models.ts', 'controllers/article.ts', 'server.ts'], 3],
  ['docs/concurrency.md', ['models.ts', 'server.ts'], 5],
  ['docs/hooks.md', ['models.ts', 'controllers/article.ts', 'app.ts', 'server.ts'], 2],
  ['docs/recipes.md', ['models.ts', 'roles.ts', 'tickets.ts', 'app.ts', 'server.ts'], 5],
  ['docs/soft-deletion.md', ['models.ts', 'controllers/product.ts', 'server.ts'], 6],
  ['docs/users.md', [], 1],
  ['docs/files.md', [], 1],
  [signInPages, [], 2],
]

/** The names that a server makes for files are random. */
const withoutNames = (text: string): string => text.replaceAll(/[a-z2-7]{26}/g, '…')

test.for(pages)(
  '%s has an example that does what the page says',
  { tags: [tag] },
  async ([page, files, requests], context) => {
    skipWithout(context, 'curl')
    const project = await pageProject(page, inject('unpacked'))
    onTestFinished(project.folder.remove)
    if (files.length > 0) expect(Object.keys(project.files)).toEqual(files)
    const { origin, close } = await project.start('server.ts')
    onTestFinished(close)
    const answers = await project.answers(origin)
    expect(answers).toHaveLength(requests)
    for (const { line, shown, printed } of answers)
      expect([`${page}:${line}`, withoutNames(printed)]).toEqual([`${page}:${line}`, withoutNames(shown)])
  },
)
