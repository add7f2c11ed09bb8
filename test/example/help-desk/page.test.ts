import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { emptyFolder } from '../../package/folders.ts'
import { succeed } from '../../package/shell.ts'
import { fencedBlocks } from '../../readme/fenced-blocks.ts'
import { openDesk } from './stage.ts'

const page = readFileSync('examples/help-desk/README.md', 'utf8')
const [start, ...blocks] = fencedBlocks(page)
const MAILED = 'the-token-of-the-mail'
const END = '- end of block -'

const withoutTimes = (text: string): string => text.replaceAll(/"\d{4}-\d\d-\d\dT[^"]+"/g, '"…"')

test('the page of the help desk shows the responses of its requests', async () => {
  expect(start?.text).toBe('npm ci && npm run build && npx node examples/help-desk/server.ts')
  const steps = blocks.flatMap(({ language, text }, index) =>
    language === 'sh'
      ? [{ text, shown: blocks[index + 1]?.language === 'json' ? blocks[index + 1]?.text : '' }]
      : [],
  )
  const [desk, folder] = [await openDesk(), emptyFolder()]
  const run = async (some: typeof steps, before = ''): Promise<void> => {
    const lines = some.map(({ text }) => text.replaceAll('localhost:3000', new URL(desk.origin).host))
    // One shell, since later blocks use variables of earlier ones.
    const printed = await succeed([before, ...lines].join(`\necho '${END}'\n`), folder.path)
    const each = printed.split(`${END}\n`).slice(1)
    for (const [at, { text, shown }] of some.entries())
      expect([text, withoutTimes(each[at]?.trimEnd() ?? '')]).toEqual([text, withoutTimes(shown ?? '')])
  }
  try {
    const mailed = steps.findIndex(({ text }) => text.includes(MAILED))
    expect([mailed, steps.length]).toEqual([20, 23])
    const mail = desk.nextMail()
    await run(steps.slice(0, mailed))
    const token = (await mail).text.split(' ').at(-1)
    await run(steps.slice(mailed + 1), `TOKEN=${token}`)
  } finally {
    await desk.stop()
    folder.remove()
  }
})
