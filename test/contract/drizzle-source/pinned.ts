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

/** What a statement has in common with others of other columns, values and operators. */
const shapeOf = (text: string): string =>
  text
    .replaceAll(/\bselect (?:(?! from | select ).){150,} from /g, 'select name from ')
    .replaceAll(/"\w+"|`\w+`/g, 'name')
    .replaceAll(/\$\d+|\bdefault\b/g, '?')
    .replaceAll(/ (<=|>=|<|>|=|<>) /g, ' op ')
    .replaceAll(/\b(asc|desc)\b/g, 'order')
    .replaceAll(/(name|name order|\?|\(\?\))(, \1)+/g, '$1')
    .replaceAll(/(\(\?\))(, \1)+/g, '$1')

/**
 * The statements that the contract of a source sends to a database, without values, compared with those of a file: whoever changes
 * how statements are built sees in it what becomes of them. Of each shape, one is enough.
 */
export const pinnedStatements = (dialect: 'sqlite' | 'pg' | 'mysql') => {
  const texts = new Map<string, string>()
  return {
    logger: {
      logQuery: (text: string): void => {
        if (random.test(expect.getState().currentTestName ?? '')) return
        const [shape, shown] = [shapeOf(text), shortened(text)]
        const known = texts.get(shape)
        if (known === undefined || shown < known) texts.set(shape, shown)
      },
    },
    /** After the contract, in the same file. */
    compare: (): void => {
      test(`the statements of the contract are those of ${dialect}.sql`, async () => {
        const lines = [...texts.values()].toSorted().map((text) => `${text}\n`)
        await expect(lines.join('')).toMatchFileSnapshot(join(import.meta.dirname, `pinned/${dialect}.sql`))
      })
    },
  }
}
