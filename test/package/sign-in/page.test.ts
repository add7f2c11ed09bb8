import { existsSync, globSync, readFileSync } from 'node:fs'
import { expect, inject, test } from 'vitest'
import { signInPages } from '../examples.ts'
import { pageProject } from '../page-project.ts'

test('docs/sign-in.md and the pages of its recipes have an application that responds as shown', async () => {
  const { folder, run, blocks, files, ...project } = await pageProject(signInPages, inject('unpacked'))
  try {
    const [secret = ''] = blocks
      .flatMap(({ text }) => text.split('\n'))
      .filter((line) => line.startsWith('echo "SECRET_KEY'))
    await run(secret)
    const answers = await project.answers('/docs')
    expect(answers.map(({ printed }) => printed)).toEqual(answers.map(({ shown }) => shown))
    expect(answers).toHaveLength(2)
    for (const name of Object.keys(files)) expect(existsSync(`${folder.path}/${name}`)).toBe(true)
  } finally {
    folder.remove()
  }
})

test('a test runs each recipe', () => {
  const page = readFileSync('docs/sign-in.md', 'utf8')
  const recipes = [...page.matchAll(/\| \[[^\]]+\]\([\w.#-]+\) \| `([\w-]+)\.ts`/g)].map(([, name]) => name)
  const tests = globSync('test/package/sign-in/*.test.ts').map(
    (path) => /([\w-]+)\.test\.ts$/.exec(path)?.[1],
  )
  expect(recipes).toHaveLength(7)
  expect(tests).toEqual(expect.arrayContaining(recipes))
})
