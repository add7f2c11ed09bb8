/** An SQL type, taken apart: `NUMERIC(10, 2)`, `int unsigned`, `timestamp(3) with time zone`, `"public"."citext"[]`. */
export interface SqlType {
  /** In lower case, with one space between words, without arguments and arrays: `timestamp with time zone`. */
  readonly name: string
  /** What stands in parentheses; of an enum its values. */
  readonly args: readonly string[]
  readonly unsigned: boolean
  /** It names a collation of its own. */
  readonly collated: boolean
  /** One for each array around it, from the outside, with its size where the type says one. */
  readonly arrays: readonly (number | undefined)[]
}

const TEXT = `'(?:[^']|'')*'`

/** A name, what stands in parentheses, more of the name, arrays. Each piece begins with a character that the one before cannot hold. */
const typeForm = new RegExp(
  `^([a-z_][\\w$ ]*)(?:\\(((?:${TEXT}|[^'()])*)\\))?([a-z_][\\w$ ]*)?((?:\\[\\d*\\])*)$`,
)

const argument = new RegExp(`${TEXT}|[^', ]+`, 'g')

/** A literal, a quoted name that keeps its quotes, another quoted name, or what stands outside of quotes. */
const quotation = new RegExp(`(${TEXT})|("[^"]*[^"a-z_\\d$][^"]*")|["\`]([\\w$]+)["\`]|([^'"\`]+)`, 'g')

/** Schemas in which a type of a known name is the known type. */
const knownSchema = /^(?:pg_catalog|public|extensions) ?\. ?/

/** What may stand behind a type and changes nothing of what its values look like, but for the sign. */
const attributes =
  /(?: ?\b(?:unsigned|zerofill|(?:not )?null|(?:collate|character set|charset) (?:[\w$]+\.)?(?:"[^"]+"|[\w$-]+)))+$/

/** Takes an SQL type apart. `undefined`: it has another form than the types of SQLite, PostgreSQL and MySQL. */
export const parseSqlType = (text: string): SqlType | undefined => {
  const plain = unquoted(text.trim().replaceAll(/\s+/g, ' '))
  const [behind = ''] = attributes.exec(plain) ?? []
  const type = plain.slice(0, plain.length - behind.length).replace(knownSchema, '')
  const [, first = '', args = '', more = '', arrays = ''] = typeForm.exec(type) ?? []
  if (first === '') return undefined
  return {
    name: `${first} ${more}`.trim(),
    args: args.match(argument)?.map(withoutQuotes) ?? [],
    // MySQL makes a number unsigned that is filled up with zeros.
    unsigned: /unsigned|zerofill/.test(behind),
    collated: behind.includes('collate '),
    arrays: Array.from(arrays.matchAll(/\d+|\[\]/g), ([size]) => (size === '[]' ? undefined : Number(size))),
  }
}

/** Names are in lower case to a database. In quotes they stay as they are, so that `"Text"` is not the type `text`. */
const unquoted = (text: string): string =>
  text.replaceAll(quotation, (...found) => {
    const [, literal, quoted, name, bare] = found as (string | undefined)[]
    return literal ?? quoted ?? name ?? bare?.toLowerCase().replaceAll(/ ?([()[\]]) ?/g, '$1') ?? ''
  })

const withoutQuotes = (text: string): string =>
  text.startsWith("'") ? text.slice(1, -1).replaceAll("''", "'") : text
