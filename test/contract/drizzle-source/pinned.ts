import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** Tests whose statements are random. */
const random = /random|any values|exactly the selected fields/

/** A statement by time zone has hundreds of thousands of characters. */
const MOST_CHARACTERS = 400

const shortened = (text: string): string => {
  const part = text.replace(
    /("\w+"|`\w+`)((, ("\w+"|`\w+`)(::text)?){8,})(?= (from|$))/g,
    '$1 and all the others',
  )
  if (part.length <= MOST_CHARACTERS) return part
  const rest = createHash('sha256').update(part).digest('hex').slice(0, 16)
  return `${part.slice(0, MOST_CHARACTERS)} and so on: ${part.length} characters, ${rest}`
}

/**
 * The statements that the contract of a source sends to a database, without values, compared with those of a file: whoever changes
 * how statements are built sees in it what becomes of them.
 */
export const pinnedStatements = (dialect: 'sqlite' | 'pg' | 'mysql') => {
  const texts = new Set<string>()
  return {
    logger: {
      logQuery: (text: string): void => {
        if (!random.test(expect.getState().currentTestName ?? '')) texts.add(shortened(text))
      },
    },
    /** After the contract, in the same file. */
    compare: (): void => {
      test(`the statements of the contract are those of ${dialect}.sql`, async () => {
        const lines = [...texts].toSorted().map((text) => `${text}\n`)
        await expect(lines.join('')).toMatchFileSnapshot(join(import.meta.dirname, `pinned/${dialect}.sql`))
      })
    },
  }
}
