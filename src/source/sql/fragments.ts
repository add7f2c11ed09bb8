import { type Spelling, Sql } from './text.ts'

/** A piece of SQL as a template literal tag gets it: the strings around its values. There is one string more. */
interface Fragments {
  readonly strings: readonly string[]
  readonly values: readonly unknown[]
}

/** @throws Error for a part that no condition has */
export const fragmentsOf = (piece: Sql, { quoted }: Pick<Spelling, 'quoted'>): Fragments => {
  const strings: string[] = ['']
  const values: unknown[] = []
  const add = (text: string): void => {
    strings[strings.length - 1] += text
  }
  const write = ({ parts }: Sql): void => {
    for (const part of parts) {
      if (typeof part === 'string') add(part)
      else if (part instanceof Sql) write(part)
      else if ('name' in part) add(quoted(part.name))
      else if ('value' in part) {
        values.push(part.value)
        strings.push('')
      } else throw new Error('This part of a condition cannot be written for the application.')
    }
  }
  write(piece)
  return { strings, values }
}
